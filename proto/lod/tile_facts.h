// What the choice of levels must know of a tile, and only the tile itself says.
#pragma once

#include <cstdint>

#include "absl/functional/function_ref.h"
#include "proto/wire/tile_key.h"

namespace thalweg::lod {

// The unit of heights, in metres.
inline constexpr double kHeightUnitM = 1.0 / 65'536;

// A tile's facts, in height units.
struct TileFacts {
  // The largest vertical distance between the tile's surface and its parent's: thalweg.v1.Tile's
  // geometric_error.
  std::uint32_t geometric_error = 0;
  // The lowest and highest ground.
  std::int32_t min_height = 0;
  std::int32_t max_height = 0;
};

// Returns the facts of a tile, or null while they are unknown. The pointer need only be valid until
// the next call.
using FactsOf = absl::FunctionRef<const TileFacts*(const wire::TileKey&)>;

}  // namespace thalweg::lod
