// Turns between clients that ask at the same time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "absl/container/flat_hash_map.h"

namespace thalweg::sharing {

// How much of a client's work belongs to one round, in cells (see world/cost.h). Within a round,
// level and arrival decide.
inline constexpr std::int64_t kCellsARound = std::int64_t{1} << 20;
// What a request counts at least, even if others pay for its blocks. So a round has at most
// sixteen requests of a client.
inline constexpr std::int64_t kLeastCells = kCellsARound / 16;

// Start-time fair queueing (Goyal, Vin and Cheng, 1996): a request starts where the client's work
// before it ends, or at what is being served, whichever is later. A client that asks for little
// work comes next, however much others ask for. A client is forgotten when it has no requests. Not
// thread-safe.
class FairRounds {
 public:
  // The start of a client's next request, which needs this much work, in cells.
  std::int64_t StartOf(std::uint64_t client, std::int64_t cells);
  // A request that has a start was answered or cancelled.
  void Leave(std::uint64_t client);
  // A request of this start is being served: nobody starts earlier any more.
  void Serve(std::int64_t start);

  std::size_t clients() const { return turns_.size(); }

 private:
  struct Turn {
    std::int64_t next = 0;
    std::size_t requests = 0;
  };

  std::int64_t served_ = 0;
  absl::flat_hash_map<std::uint64_t, Turn> turns_;
};

}  // namespace thalweg::sharing
