// Where the points of a request for heights lie.
#pragma once

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/wire/tile_key.h"
#include "server/world/world.h"
#include "thalweg/v1/terrain.pb.h"

namespace thalweg::tile {

// Weights of a point's place in its cell add up to this.
inline constexpr int kSampleWeightBits = 15;
inline constexpr std::int64_t kSampleWeight = 1 << kSampleWeightBits;

// A point within a tile: its cell, from 0 to 255, and its place in the cell, from 0 to
// kSampleWeight.
struct SamplePoint {
  wire::TileKey key;
  std::uint16_t column = 0;
  std::uint16_t row = 0;
  std::uint16_t east = 0;
  std::uint16_t south = 0;
};

// In the order of the request: by eastings and southings on a plane, by latitudes and longitudes on
// a planet. The world has the request's level. INVALID_ARGUMENT for unequal counts, the other kind
// of coordinates, or one that is no number; OUT_OF_RANGE for a point that the world has not.
absl::StatusOr<std::vector<SamplePoint>> SamplePointsOf(const world::World& world,
                                                        const v1::SampleHeightsRequest& request);

}  // namespace thalweg::tile
