// What the choice of levels has to know of a tile, which only the tile itself tells.
#pragma once

#include <cstdint>

#include "absl/functional/function_ref.h"
#include "proto/wire/tile_key.h"

namespace thalweg::lod {

// Heights count these, in metres.
inline constexpr double kHeightUnitM = 1.0 / 65'536;

// In height units.
struct TileFacts {
  // The largest vertical distance between the tile's surface and its parent's: thalweg.v1.Tile's
  // geometric_error.
  std::uint32_t geometric_error = 0;
  // The lowest and highest ground.
  std::int32_t min_height = 0;
  std::int32_t max_height = 0;
};

// The facts of a tile, or null while they are not known. What it points to need last no longer than
// to the next call.
using FactsOf = absl::FunctionRef<const TileFacts*(const wire::TileKey&)>;

}  // namespace thalweg::lod
