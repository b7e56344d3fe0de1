#include "tests/proto/geometry/tiling_faults.h"

#include <cmath>
#include <cstdint>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "proto/geometry/surface.h"
#include "proto/geometry/tile_tree.h"

namespace thalweg::lod {
namespace {

using wire::TileKey;

std::string Name(const TileKey& key) {
  return absl::StrCat(key.face, ":", key.level, "/", key.x, "/", key.y);
}

}  // namespace

std::vector<std::string> TilingFaults(const WorldGrid& grid, const std::vector<TileKey>& tiles,
                                      const std::vector<TileKey>& roots) {
  std::vector<std::string> faults;
  const auto surface = SurfaceOf(grid);
  const absl::flat_hash_set<TileKey> set(tiles.begin(), tiles.end());
  if (set.size() != tiles.size()) faults.emplace_back("a tile is there twice");
  absl::flat_hash_map<TileKey, double> covered;
  for (const TileKey& tile : tiles) {
    covered[AncestorOf(tile, 0)] += std::ldexp(1.0, -2 * tile.level);
    for (int level = 0; level < tile.level; ++level) {
      if (set.contains(AncestorOf(tile, level))) {
        faults.push_back(absl::StrCat(Name(tile), " lies in ", Name(AncestorOf(tile, level))));
      }
    }
    for (const TileKey& touching : surface->TouchingOf(tile)) {
      for (int level = 0; level < tile.level - 1; ++level) {
        if (set.contains(AncestorOf(touching, level))) {
          faults.push_back(
              absl::StrCat(Name(tile), " touches ", Name(AncestorOf(touching, level))));
        }
      }
    }
  }
  for (const TileKey& root : roots) {
    if (covered[root] != 1)
      faults.push_back(absl::StrCat(Name(root), ": ", covered[root], " of it"));
    covered.erase(root);
  }
  for (const auto& [root, area] : covered) faults.push_back(Name(root) + " is none of the roots");
  return faults;
}

}  // namespace thalweg::lod
