// What can be drawn of a selection with the tiles that are at hand: complete and without cracks.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "absl/functional/function_ref.h"
#include "proto/lod/selection.h"

namespace thalweg::lod {

// Whether a tile is at hand.
using IsLoaded = absl::FunctionRef<bool(const wire::TileKey&)>;

// A tile to draw.
struct Drawn {
  wire::TileKey key;
  // Which of the tiles that touch it are drawn one level coarser, in the order of Touching. Along
  // these its border vertices must follow the coarser tile's edge.
  std::array<bool, 8> coarser{};
};

struct Drawable {
  // No two of them overlap; together they cover every level-0 tile of the selection that is at
  // hand. Those that touch differ by one level at most. Coarse before fine.
  std::vector<Drawn> tiles;
  // Whether all of the selection's level-0 tiles are at hand: nothing is missing from the picture.
  bool complete = false;
  // Whether it is the selection itself: nothing is coarser than wanted.
  bool finest = false;
};

// Children replace their parent only together, and only where that leaves nothing that touches them
// two levels coarser. The result depends on the arguments alone.
Drawable DrawableOf(const Selection& selection, IsLoaded is_loaded);

}  // namespace thalweg::lod
