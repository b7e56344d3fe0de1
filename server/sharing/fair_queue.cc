#include "server/sharing/fair_queue.h"

#include <algorithm>

namespace thalweg::sharing {

std::int64_t FairRounds::StartOf(std::uint64_t client, std::int64_t cells) {
  Turn& turn = turns_[client];
  ++turn.requests;
  const std::int64_t start = std::max(turn.next, served_);
  turn.next = start + std::max(cells, kLeastCells);
  return start;
}

void FairRounds::Leave(std::uint64_t client) {
  const auto found = turns_.find(client);
  if (--found->second.requests == 0) turns_.erase(found);
}

void FairRounds::Serve(std::int64_t start) { served_ = std::max(served_, start); }

void FairQueue::Add(std::uint64_t client, Work work) {
  Line& line = lines_[client];
  if (line.waiting.empty()) {
    if (line.running == 0) {
      ahead_.erase({line.used, client});
      line.used = std::max(line.used, now_);
    }
    waiting_.emplace(line.used, client);
  }
  line.waiting.push_back(std::move(work));
  ++size_;
}

FairQueue::Taken FairQueue::Take() {
  const auto [used, client] = *waiting_.begin();
  waiting_.erase(waiting_.begin());
  now_ = std::max(now_, used);
  Line& line = lines_.at(client);
  Taken taken{client, std::move(line.waiting.front()), typical_};
  line.waiting.pop_front();
  --size_;
  ++line.running;
  ++running_;
  // Charged in advance: else a client could have all threads before its first work is done.
  line.used += typical_;
  if (!line.waiting.empty()) waiting_.emplace(line.used, client);
  return taken;
}

void FairQueue::Finish(std::uint64_t client, Duration estimate, Duration taken) {
  Line& line = lines_.at(client);
  if (!line.waiting.empty()) waiting_.erase({line.used, client});
  line.used += taken - estimate;
  if (!line.waiting.empty()) waiting_.emplace(line.used, client);
  typical_ += (taken - typical_) / 8;
  --running_;
  if (--line.running == 0 && line.waiting.empty()) ahead_.emplace(line.used, client);
  Forget();
}

void FairQueue::Forget() {
  const bool idle = size_ == 0 && running_ == 0;
  while (!ahead_.empty() && (idle || ahead_.begin()->first <= now_)) {
    lines_.erase(ahead_.begin()->second);
    ahead_.erase(ahead_.begin());
  }
}

}  // namespace thalweg::sharing
