#include "server/field/batch_pace.h"

#include <algorithm>
#include <cmath>

namespace thalweg::field {
namespace {

constexpr double kUnhurriedSeconds = 0.05;

constexpr double kMaxParts = 100;

// The weight of the last run in the expected time of the next one.
constexpr double kNewShare = 0.25;

}  // namespace

double BatchPace::PartSeconds() const { return kUnhurriedSeconds / submitted_; }

void BatchPace::Learn(Duration duration, std::size_t blocks) {
  if (blocks == 0) return;
  const double seconds =
      std::chrono::duration<double>(duration).count() / static_cast<double>(blocks);
  seconds_a_block_ =
      seconds_a_block_ == 0 ? seconds : (1 - kNewShare) * seconds_a_block_ + kNewShare * seconds;
}

int BatchPace::Limit(int max, int weight) const {
  // Before the first run no times are known, so the first run is as short as possible.
  if (seconds_a_block_ == 0) return 1;
  const double blocks = std::min(PartSeconds() / (weight * seconds_a_block_), 1e6);
  return std::clamp(static_cast<int>(blocks), 1, std::max(max, 1));
}

int BatchPace::Parts(std::size_t blocks) const {
  const double seconds = seconds_a_block_ * static_cast<double>(blocks);
  return static_cast<int>(std::clamp(std::ceil(seconds / PartSeconds()), 1.0, kMaxParts));
}

}  // namespace thalweg::field
