// Where the points of a request for heights lie.
#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "proto/sampling/sample_point.h"
#include "server/world/world.h"
#include "thalweg/v1/terrain.pb.h"

namespace thalweg::tile {

// In the order of the request: by eastings and southings on a plane, by latitudes and longitudes on
// a planet. The world has the request's level. INVALID_ARGUMENT for unequal counts, the other kind
// of coordinates, or one that is no number; OUT_OF_RANGE for a point outside the world.
absl::StatusOr<std::vector<sampling::PlacedPoint>> SamplePointsOf(
    const world::World& world, const v1::SampleHeightsRequest& request);

}  // namespace thalweg::tile
