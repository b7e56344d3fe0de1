// Turns between clients that ask at the same time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "absl/container/flat_hash_map.h"

namespace thalweg::field {

// How many requests of a client belong to one round. Within a round, level and arrival decide.
inline constexpr int kRequestsARound = 16;

// Start-time fair queueing (Goyal, Vin and Cheng, 1996) in rounds: a client's requests fill one
// round after the other, beginning with the one that is being served. A client with few requests
// comes next, however many others have. A client is forgotten when it has no requests. Not
// thread-safe.
class FairRounds {
 public:
  // The round of a client's next request.
  std::uint64_t RoundOf(std::uint64_t client);
  // A request that has a round was answered or cancelled.
  void Leave(std::uint64_t client);
  // A request of this round is being served: no client has requests left in earlier ones.
  void Serve(std::uint64_t round);

  std::size_t clients() const { return turns_.size(); }

 private:
  struct Turn {
    std::uint64_t round = 0;
    int used = 0;
    std::size_t requests = 0;
  };

  std::uint64_t served_ = 0;
  absl::flat_hash_map<std::uint64_t, Turn> turns_;
};

}  // namespace thalweg::field
