#include "server/field/fair_rounds.h"

#include <algorithm>

namespace thalweg::field {

std::uint64_t FairRounds::RoundOf(std::uint64_t client) {
  Turn& turn = turns_[client];
  if (turn.requests == 0 || turn.round < served_) {
    turn.round = served_;
    turn.used = 0;
  } else if (turn.used == kRequestsARound) {
    ++turn.round;
    turn.used = 0;
  }
  ++turn.used;
  ++turn.requests;
  return turn.round;
}

void FairRounds::Leave(std::uint64_t client) {
  const auto found = turns_.find(client);
  if (--found->second.requests == 0) turns_.erase(found);
}

void FairRounds::Serve(std::uint64_t round) { served_ = std::max(served_, round); }

}  // namespace thalweg::field
