#include "server/field/fair_rounds.h"

namespace thalweg::field {
namespace {

// Clients whose turns are over are forgotten when there are so many.
constexpr std::size_t kClientsToSweep = 1'024;

}  // namespace

std::uint64_t FairRounds::RoundOf(std::uint64_t client) {
  Turn& turn = turns_[client];
  if (turn.round < served_) turn = {.round = served_};
  if (turn.used == kRequestsARound) turn = {.round = turn.round + 1};
  ++turn.used;
  return turn.round;
}

void FairRounds::Serve(std::uint64_t round) {
  if (round <= served_) return;
  served_ = round;
  if (turns_.size() < kClientsToSweep) return;
  absl::erase_if(turns_, [round](const auto& entry) { return entry.second.round < round; });
}

}  // namespace thalweg::field
