// How much of a queue each client may fill.
#pragma once

#include <cstddef>
#include <cstdint>

#include "absl/container/flat_hash_map.h"

namespace thalweg::field {

// Dynamic thresholds (Choudhury and Hahne, 1998): a client may have one more request waiting while
// it has fewer than there are free places. One client so fills half of a queue, and two that go on
// asking a third each. Whatever happened before, n clients leave (places + 1) / 2^n - 1 places
// free, and a client without a request is refused only when no place is free. Proof: look at the
// client that was let in last, at that moment; it has at most F + 1 requests, where F places are
// free. The one before it saw these too as free, so it has at most 2 (F + 1), and so on: all have
// (2^n - 1)(F + 1) together. Not thread-safe.
class QueueShares {
 public:
  // Whether a client may add so many requests, one or more, to a queue of so many places: as if
  // they came one after the other.
  bool HasRoom(std::uint64_t client, std::size_t places, std::size_t count = 1) const;
  void Add(std::uint64_t client, std::size_t count = 1);
  // So many of those that were added are gone.
  void Remove(std::uint64_t client, std::size_t count = 1);

  // Requests of all clients, and of one.
  std::size_t size() const { return size_; }
  std::size_t HeldBy(std::uint64_t client) const;
  // Clients with a request.
  std::size_t clients() const { return held_.size(); }

 private:
  std::size_t size_ = 0;
  absl::flat_hash_map<std::uint64_t, std::size_t> held_;
};

}  // namespace thalweg::field
