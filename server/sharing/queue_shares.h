// How much of a queue each client may fill.
#pragma once

#include <cstddef>
#include <cstdint>

#include "absl/container/flat_hash_map.h"

namespace thalweg::sharing {

// Dynamic thresholds (Choudhury and Hahne, 1998): a client may add a request while it has fewer
// waiting than the queue still takes. So one client fills half of a queue, and two that go on
// asking fill a third each. In every state a queue with n clients takes (max + 1) / 2^n - 1 more
// requests, and a client without a request is refused only when the queue is full. Proof: the
// client that added the last request has at most F + 1, where F is what the queue still takes. The
// client before it saw no less than that, so it has at most 2 (F + 1), and so on: all clients have
// (2^n - 1)(F + 1) together. Not thread-safe.
class QueueShares {
 public:
  // Whether a client may add `count` requests, 1 or more, to a queue that holds `max`, as if they
  // came one after the other.
  bool HasRoom(std::uint64_t client, std::size_t max, std::size_t count = 1) const;
  void Add(std::uint64_t client, std::size_t count = 1);
  // Reports that `count` of the client's requests have left the queue.
  void Remove(std::uint64_t client, std::size_t count = 1);

  // The number of requests: of all clients, and of one.
  std::size_t size() const { return size_; }
  std::size_t HeldBy(std::uint64_t client) const;
  // Clients with a request.
  std::size_t clients() const { return held_.size(); }

 private:
  std::size_t size_ = 0;
  absl::flat_hash_map<std::uint64_t, std::size_t> held_;
};

}  // namespace thalweg::sharing
