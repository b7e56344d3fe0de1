// Points at equal distances along a line, for profiles.
#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "server/world/world.h"
#include "thalweg/v1/http.pb.h"

namespace thalweg::http {

struct Profile {
  // The same question for its points.
  v1::HeightsQuestion points;
  // How far each is along the line, in metres.
  std::vector<double> distances_m;
};

// The points of a question for a profile. INVALID_ARGUMENT unless it has 2 to 8,192 of them along a
// line of two points or more that are apart, with as many coordinates of each kind, and unless all
// are finite; on a planet also for neighbours on opposite sides, between which no line is shortest.
absl::StatusOr<Profile> ProfileOf(const world::World& world, const v1::HeightsQuestion& question);

}  // namespace thalweg::http
