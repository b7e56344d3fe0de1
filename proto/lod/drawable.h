// What can be drawn of a selection with the loaded tiles: complete and without cracks.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "absl/functional/function_ref.h"
#include "proto/lod/selection.h"

namespace thalweg::lod {

// Whether a tile is loaded.
using IsLoaded = absl::FunctionRef<bool(const wire::TileKey&)>;

// A tile to draw.
struct Drawn {
  wire::TileKey key;
  // Which of the tiles that touch it are drawn one level coarser, in the order of Touching. Along
  // these its border vertices must follow the coarser tile's edge.
  std::array<bool, 8> coarser{};
};

struct Drawable {
  // They don't overlap, and cover every loaded level-0 tile of the selection. Tiles that touch
  // differ by max one level. Coarse before fine.
  std::vector<Drawn> tiles;
  // Whether all of the selection's level-0 tiles are loaded: nothing is missing from the picture.
  bool complete = false;
  // Whether it is the selection itself: nothing is coarser than wanted.
  bool finest = false;
};

// Children replace their parent all at once, and only where no touching tile is then two levels
// coarser. A pure function.
Drawable DrawableOf(const Selection& selection, IsLoaded is_loaded);

}  // namespace thalweg::lod
