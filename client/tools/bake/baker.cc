#include "client/tools/bake/baker.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "client/tools/bake/part_region.h"
#include "proto/wire/status_macros.h"

namespace thalweg::bake {
namespace {

using Clock = std::chrono::steady_clock;

// How many parts each server computes at the same time.
constexpr int kPendingParts = 2;

// Whether another attempt, later or with another server, may succeed.
bool MayPass(const absl::Status& status) {
  return absl::IsUnavailable(status) || absl::IsDeadlineExceeded(status) ||
         absl::IsResourceExhausted(status);
}

class Run {
 public:
  Run(const std::vector<BakeServer>& servers, const Area& area, const PartStore& store,
      const BakeOptions& options)
      : servers_(servers), area_(area), store_(store), options_(options), rests_(servers.size()) {}

  absl::Status Bake(const std::vector<Part>& parts) {
    Deal(parts);
    Report();
    last_part_ = Clock::now();
    std::vector<std::jthread> threads;
    try {
      for (std::size_t server = 0; server < servers_.size(); ++server) {
        for (int i = 0; i < kPendingParts; ++i) {
          threads.emplace_back([this, server] { Work(server); });
        }
      }
    } catch (const std::system_error& error) {
      // The threads that there are end after the parts that they fetch.
      const std::scoped_lock lock(mutex_);
      error_ = absl::ResourceExhaustedError(
          absl::StrCat("start ", kPendingParts * servers_.size(), " threads, ", kPendingParts,
                       " for each server: ", error.what(),
                       "; raise the limit of processes (ulimit -u), or name fewer servers"));
      changed_.notify_all();
    }
    threads.clear();
    return error_;
  }

 private:
  struct Rest {
    Clock::time_point until;
    std::chrono::milliseconds next{0};
  };

  // Deals out the parts that the store lacks, one range for each server.
  void Deal(const std::vector<Part>& parts) {
    std::vector<Part> missing;
    std::ranges::copy_if(parts, std::back_inserter(missing),
                         [this](const Part& part) { return !store_.Has(part); });
    progress_.parts = parts.size();
    progress_.found = parts.size() - missing.size();
    progress_.done = progress_.found;
    for (const Part& part : missing) progress_.vertices_left += VerticesOf(part);
    left_ = missing.size();
    queues_.resize(servers_.size());
    for (std::size_t i = 0; i < missing.size(); ++i) {
      queues_[i * servers_.size() / missing.size()].push_back(missing[i]);
    }
  }

  void Report() {
    if (options_.progress) options_.progress(progress_);
  }

  // Returns a server's next part. A server without parts takes the last one of the fullest server.
  std::optional<Part> Take(std::size_t server) {
    std::deque<Part>& own = queues_[server];
    if (!own.empty()) {
      const Part part = own.front();
      own.pop_front();
      return part;
    }
    const auto longest = std::ranges::max_element(queues_, {}, &std::deque<Part>::size);
    if (longest->empty()) return std::nullopt;
    const Part part = longest->back();
    longest->pop_back();
    return part;
  }

  // Returns a part to fetch; nothing once all parts are done or the bake has failed.
  std::optional<Part> Next(std::size_t server) {
    std::unique_lock lock(mutex_);
    while (error_.ok() && left_ > 0) {
      const Clock::time_point now = Clock::now();
      if (now - last_part_ > options_.patience) {
        error_ = absl::UnavailableError(
            absl::StrCat("no server sent a part within ", options_.patience.count() / 1000, " s, ",
                         Reason(), "; run the same command again: finished parts are kept"));
        changed_.notify_all();
        return std::nullopt;
      }
      if (rests_[server].until <= now) {
        if (const auto part = Take(server)) return part;
      }
      // Another server's part may fail and become free again.
      const auto until =
          std::min(std::max(rests_[server].until, now + std::chrono::milliseconds(50)),
                   last_part_ + options_.patience + std::chrono::milliseconds(1));
      changed_.wait_until(lock, until);
    }
    return std::nullopt;
  }

  // Why no part came, as far as a server said it.
  std::string Reason() const {
    if (!complaint_.empty()) return absl::StrCat("the last error: ", complaint_);
    return "and no error: the servers are frozen, unreachable or too slow, which `thalweg health` "
           "shows";
  }

  absl::Status Fetch(std::size_t server, const Part& part, std::uint64_t& wire_bytes) {
    const Area area = Clipped(area_, part);
    THALWEG_ASSIGN_OR_RETURN(
        Region region, FetchArea(*servers_[server].client, area, options_.world, options_.layers));
    wire_bytes = region.wire_bytes;
    absl::Status written = store_.Write(part, ToPart(area, std::move(region)));
    if (written.ok()) return written;
    // A full disk is not the server's fault.
    return absl::AbortedError(
        absl::StrCat(written.message(), "; run the same command again: finished parts are kept"));
  }

  std::int64_t VerticesOf(const Part& part) const {
    const Area area = Clipped(area_, part);
    return area.width * area.height;
  }

  void Work(std::size_t server) {
    while (const auto part = Next(server)) {
      std::uint64_t wire_bytes = 0;
      const absl::Status fetched = Fetch(server, *part, wire_bytes);
      const std::scoped_lock lock(mutex_);
      if (fetched.ok()) {
        rests_[server] = {};
        last_part_ = Clock::now();
        --left_;
        ++progress_.done;
        progress_.wire_bytes += wire_bytes;
        const std::int64_t vertices = VerticesOf(*part);
        progress_.vertices += vertices;
        progress_.vertices_left -= vertices;
        Report();
      } else if (MayPass(fetched)) {
        Leave(server, *part, fetched);
      } else if (error_.ok()) {
        error_ = fetched;
      }
      changed_.notify_all();
    }
  }

  void Leave(std::size_t server, const Part& part, const absl::Status& why) {
    queues_[server].push_front(part);
    Rest& rest = rests_[server];
    rest.next =
        rest.next.count() == 0 ? options_.first_rest : std::min(2 * rest.next, options_.max_rest);
    rest.until = Clock::now() + rest.next;
    complaint_ = absl::StrCat(servers_[server].name, ": ", why.message());
  }

  const std::vector<BakeServer>& servers_;
  const Area& area_;
  const PartStore& store_;
  const BakeOptions& options_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::deque<Part>> queues_;
  std::vector<Rest> rests_;
  std::size_t left_ = 0;
  BakeProgress progress_;
  Clock::time_point last_part_;
  // The last error of a server, with its name; empty without one.
  std::string complaint_;
  absl::Status error_;
};

}  // namespace

absl::Status Bake(const std::vector<BakeServer>& servers, const Area& area,
                  const std::vector<Part>& parts, const PartStore& store,
                  const BakeOptions& options) {
  return Run(servers, area, store, options).Bake(parts);
}

}  // namespace thalweg::bake
