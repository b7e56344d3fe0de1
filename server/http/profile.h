// Points at equal distances along a line, for profiles.
#pragma once

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "server/world/world.h"
#include "thalweg/v1/terrain.pb.h"

namespace thalweg::http {

struct Profile {
  v1::SampleHeightsRequest points;
  // How far each is along the line, in metres.
  std::vector<double> distances_m;
};

// `count` points along the line through the points of a request, whose level the world has.
// INVALID_ARGUMENT unless they are 2 to 8,192 and the line has two points or more that are apart;
// on a planet also for neighbours on opposite sides, between which no line is shortest; and the
// errors of tile::SamplePointsOf for the line's own points.
absl::StatusOr<Profile> ProfileOf(const world::World& world, const v1::SampleHeightsRequest& given,
                                  std::uint32_t count);

}  // namespace thalweg::http
