// The part of a selection that can be drawn with the loaded tiles: complete and without cracks.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "absl/functional/function_ref.h"
#include "proto/geometry/selection.h"

namespace thalweg::lod {

// Whether a tile is loaded.
using IsLoaded = absl::FunctionRef<bool(const wire::TileKey&)>;

// A tile to draw.
struct Drawn {
  wire::TileKey key;
  // Which of the tiles that touch it are drawn one level coarser, in the order of Touching. There
  // its border vertices must follow the coarser tile's edge.
  std::array<bool, 8> coarser{};
};

struct Drawable {
  // The tiles to draw, coarse before fine. They don't overlap, and cover every loaded level-0 tile
  // of the selection. Tiles that touch differ by at most one level.
  std::vector<Drawn> tiles;
  // Whether all level-0 tiles of the selection are loaded: no part of the picture is missing.
  bool complete = false;
  // Whether the selection itself is drawn: nothing is coarser than wanted.
  bool finest = false;
};

// Returns what can be drawn. Children replace their parent all at once, and only where no tile that
// touches them would then be two levels coarser. A pure function.
Drawable DrawableOf(const Selection& selection, IsLoaded is_loaded);

}  // namespace thalweg::lod
