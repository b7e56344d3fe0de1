// Where the points of a request for heights lie.
#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "proto/sampling/sample_point.h"
#include "server/world/world.h"
#include "thalweg/v1/terrain.pb.h"

namespace thalweg::tile {

// The places of the points, in the request's order: from eastings and southings on a plane, from
// latitudes and longitudes on a planet. The world has the request's level. INVALID_ARGUMENT for
// unequal counts, the other kind, or values that are not finite; OUT_OF_RANGE outside the world.
absl::StatusOr<std::vector<sampling::PlacedPoint>> SamplePointsOf(
    const world::World& world, const v1::SampleHeightsRequest& request);

}  // namespace thalweg::tile
