#include "client/cli/cracks.h"

#include <set>

#include "proto/lod/tile_tree.h"

namespace thalweg::cli {

bool IsWithoutCracks(const std::vector<DrawnTile>& tiles, const lod::Surface& surface) {
  using Key = wire::TileKey;
  std::set<Key> drawn;
  // Tiles that are drawn as finer tiles.
  std::set<Key> split;
  for (const DrawnTile& tile : tiles) {
    Key key{tile.key.face, tile.key.level, tile.key.x, tile.key.y};
    if (!drawn.insert(key).second) return false;
    while (key.level > 0) {
      key = lod::ParentOf(key);
      if (!split.insert(key).second) break;
    }
  }
  const auto is_covered = [&](const Key& key) {
    return drawn.contains(key) || split.contains(key);
  };
  for (const Key& key : drawn) {
    if (split.contains(key)) return false;  // drawn twice
    if (key.level == 0) continue;
    // A neighbour is no more than one level coarser, so the ground of each of these must be drawn,
    // as one tile or as finer tiles.
    for (const Key& beside : surface.ParentsAround(key)) {
      if (!lod::IsTile(beside) || is_covered(beside)) continue;
      for (Key cover = beside; cover.level > 0;) {
        cover = lod::ParentOf(cover);
        // Drawn as one coarser tile, or as finer tiles that leave a gap here.
        if (is_covered(cover)) return false;
      }
    }
  }
  // Every split tile must have all four children.
  for (const Key& key : split) {
    for (const Key& child : lod::ChildrenOf(key)) {
      if (!is_covered(child)) return false;
    }
  }
  return true;
}

}  // namespace thalweg::cli
