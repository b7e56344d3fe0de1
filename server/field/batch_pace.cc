#include "server/field/batch_pace.h"

#include <algorithm>
#include <cmath>

#include "server/world/cost.h"

namespace thalweg::field {
namespace {

constexpr double kUrgentSeconds = 0.25;
constexpr double kUnhurriedSeconds = 0.05;
constexpr double kLongSeconds = 1;

constexpr double kMaxParts = 1000;

// The weight of the last run in the expected time of the next one.
constexpr double kNewShare = 0.25;

}  // namespace

BatchPace::BatchPace(int submitted)
    : submitted_(submitted), seconds_a_cell_(world::kNominalSecondsACell) {}

double BatchPace::PartSeconds(bool urgent) const {
  return (urgent ? kUrgentSeconds : kUnhurriedSeconds) / submitted_;
}

void BatchPace::Learn(Duration duration, double cells) {
  if (cells <= 0) return;
  const double seconds = std::chrono::duration<double>(duration).count() / cells;
  const double share = has_learned_ ? kNewShare : 1;
  seconds_a_cell_ = (1 - share) * seconds_a_cell_ + share * seconds;
  has_learned_ = true;
}

int BatchPace::Limit(int max, double window_cells) const {
  const double windows = std::min(PartSeconds(false) / Seconds(window_cells), 1e6);
  return std::clamp(static_cast<int>(windows), 1, std::max(max, 1));
}

std::int64_t BatchPace::LongCells() const {
  return static_cast<std::int64_t>(std::min(kLongSeconds / seconds_a_cell_, 1e18));
}

int BatchPace::Parts(double cells, bool urgent) const {
  return static_cast<int>(
      std::clamp(std::ceil(Seconds(cells) / PartSeconds(urgent)), 1.0, kMaxParts));
}

}  // namespace thalweg::field
