#include "server/sharing/answer_room.h"

#include <algorithm>
#include <atomic>
#include <mutex>

namespace thalweg::sharing {
namespace {

constexpr std::chrono::seconds kReleaseInterval{1};

absl::Status Withdrawn() {
  return absl::CancelledError("get an answer: cancelled, since its caller no longer waits for it");
}
absl::Status Stopping() { return absl::UnavailableError("get an answer: the server is stopping"); }

}  // namespace

// Shared with the room's callback, which shares may call when the room is gone.
struct AnswerRoom::Signal {
  std::mutex mutex;
  std::condition_variable wake;
  // Whether there may be room for requests that wait.
  bool freed = false;
  // Whether much was given back.
  bool emptied = false;
  bool stopping = false;
  // The number of requests that wait or are about to. So no lock is needed when none does.
  std::atomic<std::size_t> waiting = 0;
  // The most bytes that were held since `emptied` was set; threads that change it at the same time
  // may miss a few.
  std::atomic<std::size_t> fullest = 0;
  const std::size_t much;

  explicit Signal(std::size_t much_bytes) : much(much_bytes) {}

  void Free(std::size_t held) {
    if (held > fullest) fullest = held;
    const bool empties = fullest >= held + much;
    if (waiting == 0 && !empties) return;
    const std::lock_guard lock(mutex);
    freed = true;
    if (empties) {
      emptied = true;
      fullest = held;
    }
    wake.notify_one();
  }
};

AnswerRoom::AnswerRoom(std::size_t bytes, std::function<void()> on_release)
    : on_release_(std::move(on_release)),
      signal_(std::make_shared<Signal>(bytes / 8)),
      room_(bytes, [signal = signal_](std::size_t held) { signal->Free(held); }),
      thread_([this] { Loop(); }) {}

AnswerRoom::~AnswerRoom() { Stop(); }

void AnswerRoom::Stop() {
  std::call_once(stopped_, [this] {
    {
      const std::lock_guard lock(signal_->mutex);
      signal_->stopping = true;
      signal_->wake.notify_one();
    }
    thread_.join();
  });
}

std::optional<AnswerRoom::Share> AnswerRoom::Try(std::uint64_t client, std::size_t bytes) {
  Share share(room_, client);
  if (signal_->waiting > 0) {
    const std::lock_guard lock(signal_->mutex);
    if (waiting_.contains(client)) return std::nullopt;
  }
  if (!share.Hold(Capped(bytes))) return std::nullopt;
  return share;
}

void AnswerRoom::Await(Wish& wish, std::uint64_t client, std::size_t bytes, Take take) {
  bytes = Capped(bytes);
  Share share(room_, client);
  absl::Status refusal;
  {
    const std::lock_guard lock(signal_->mutex);
    if (wish.withdrawn_) {
      refusal = Withdrawn();
    } else if (signal_->stopping) {
      refusal = Stopping();
    } else {
      // Counted before the room is asked: bytes that come back after that wake the thread.
      ++signal_->waiting;
      if (waiting_.contains(client) || !share.Hold(bytes)) {
        wish.client_ = client;
        wish.place_ = next_place_++;
        waiting_[client].emplace(wish.place_, Waiter{&wish, bytes, std::move(take)});
        return;
      }
      --signal_->waiting;
    }
  }
  if (!refusal.ok()) return std::move(take)(std::move(refusal));
  std::move(take)(std::move(share));
}

void AnswerRoom::Withdraw(Wish& wish) {
  Waiter withdrawn;
  {
    const std::lock_guard lock(signal_->mutex);
    wish.withdrawn_ = true;
    if (wish.place_ == 0) return;
    withdrawn = Remove(wish);
    // Those behind it may have room.
    signal_->freed = true;
    signal_->wake.notify_one();
  }
  std::move(withdrawn.take)(Withdrawn());
}

bool AnswerRoom::MayAskAhead(std::uint64_t client, std::size_t bytes) const {
  return room_.HasRoom(client, room_.bytes() / 2, Capped(bytes));
}

std::size_t AnswerRoom::waiting() const { return signal_->waiting; }

void AnswerRoom::ReleaseMemory(std::unique_lock<std::mutex>& lock) {
  const auto now = std::chrono::steady_clock::now();
  if (now < next_release_) return;
  signal_->emptied = false;
  next_release_ = now + kReleaseInterval;
  if (on_release_ == nullptr) return;
  lock.unlock();
  on_release_();
  lock.lock();
}

AnswerRoom::Waiter AnswerRoom::Remove(Wish& wish) {
  const auto line = waiting_.find(wish.client_);
  const auto found = line->second.find(std::exchange(wish.place_, 0));
  Waiter removed = std::move(found->second);
  line->second.erase(found);
  if (line->second.empty()) waiting_.erase(line);
  --signal_->waiting;
  return removed;
}

std::vector<AnswerRoom::Served> AnswerRoom::ServeAll() {
  std::vector<Served> served;
  // Clients take turns, one request each, until no client has room for its next one.
  for (bool any = true; any;) {
    any = false;
    for (auto line = waiting_.begin(); line != waiting_.end();) {
      const std::uint64_t client = line->first;
      const Waiter& first = line->second.begin()->second;
      ++line;  // Remove may erase the former one.
      absl::StatusOr<Share> share = Share(room_, client);
      if (signal_->stopping) {
        share = Stopping();
      } else if (!share->Hold(first.bytes)) {
        continue;
      }
      served.push_back({Remove(*first.wish).take, std::move(share)});
      any = true;
    }
  }
  return served;
}

void AnswerRoom::Loop() {
  std::unique_lock lock(signal_->mutex);
  const auto has_work = [this] { return signal_->stopping || signal_->freed; };
  for (bool last = false; !last;) {
    if (signal_->emptied) {
      signal_->wake.wait_until(lock, next_release_, has_work);
    } else {
      signal_->wake.wait(lock, has_work);
    }
    last = signal_->stopping;
    if (signal_->emptied && !last) ReleaseMemory(lock);
    signal_->freed = false;
    std::vector<Served> served = ServeAll();
    lock.unlock();
    for (Served& one : served) std::move(one.take)(std::move(one.share));
    served.clear();
    lock.lock();
  }
}

}  // namespace thalweg::sharing
