#include "server/http/connection_set.h"

#include <boost/asio/post.hpp>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"

namespace thalweg::http {
namespace {

// How long requests have the thread before it looks at its other events.
constexpr std::chrono::milliseconds kTurns{1};

}  // namespace

void ConnectionSet::Add(std::shared_ptr<Connection> connection) {
  connections_.insert(std::move(connection));
  ++counters_.begun;
  ++counters_.open;
}

void ConnectionSet::Remove(const std::shared_ptr<Connection>& connection) {
  if (connections_.erase(connection) == 1) --counters_.open;
}

bool ConnectionSet::MakeRoom(const AddressSlots::Slot& slot, bool full) {
  if (!slot.is_extra() && !full) return true;
  ++counters_.crowded_out;
  // An address with too many connections loses one of its own.
  return CloseLongestWaiting(slot.is_extra() ? slot.prefix() : std::string_view());
}

bool ConnectionSet::CloseLongestWaiting(std::string_view prefix) {
  std::shared_ptr<Connection> longest;
  auto since = Connection::Clock::time_point::max();
  for (const auto& connection : connections_) {
    if (connection->waiting_since() >= since) continue;
    if (!prefix.empty() && connection->prefix() != prefix) continue;
    since = connection->waiting_since();
    longest = connection;
  }
  if (longest == nullptr) return false;
  longest->Abort();
  return true;
}

void ConnectionSet::AwaitTurn(Work work) {
  turns_.push_back(std::move(work));
  if (turns_.size() == 1) boost::asio::post(context_, [this] { RunTurns(); });
}

void ConnectionSet::RunTurns() {
  turns_end_ = now() + kTurns;
  do {
    // Its place in the queue stays meanwhile, so that nothing overtakes what waits.
    Work work = std::move(turns_.front());
    std::move(work)();
    turns_.pop_front();
  } while (!turns_.empty() && now() < turns_end_);
  if (!turns_.empty()) boost::asio::post(context_, [this] { RunTurns(); });
}

// Copies the set first, since the action may remove connections from it.
template <typename Do>
void ConnectionSet::ForAll(const Do& act) {
  const std::vector<std::shared_ptr<Connection>> all(connections_.begin(), connections_.end());
  for (const auto& connection : all) act(*connection);
}

void ConnectionSet::Sweep() {
  ForAll([now = now()](Connection& connection) { connection.Sweep(now); });
}

void ConnectionSet::Drain() {
  ForAll([](Connection& connection) { connection.Drain(); });
}

void ConnectionSet::End(const absl::Status& why) {
  ForAll([&why](Connection& connection) { connection.End(why); });
}

void ConnectionSet::Abort() {
  ForAll([](Connection& connection) { connection.Abort(); });
}

const std::string& ConnectionSet::date() {
  const std::time_t time = std::time(nullptr);
  if (time == dated_) return date_;
  dated_ = time;
  std::tm utc{};
  gmtime_r(&time, &utc);
  // IMF-fixdate (RFC 9110, 5.6.7) uses English names, whatever the locale.
  static constexpr const char* kDays[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  static constexpr const char* kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                            "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  date_ =
      absl::StrFormat("%s, %02d %s %04d %02d:%02d:%02d GMT", kDays[utc.tm_wday], utc.tm_mday,
                      kMonths[utc.tm_mon], utc.tm_year + 1900, utc.tm_hour, utc.tm_min, utc.tm_sec);
  return date_;
}

}  // namespace thalweg::http
