#include "server/sharing/fair_rounds.h"

#include <algorithm>
#include <utility>

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

}  // namespace thalweg::sharing
