// Which tiles a view needs: a restricted quadtree, refined where the error could be seen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "proto/lod/grid.h"
#include "proto/lod/tile_facts.h"
#include "proto/lod/view.h"

namespace thalweg::lod {

// What a tile is needed for, the most urgent first.
enum class Need : std::uint8_t {
  // To be drawn in the picture, or so that a tile of the picture can be drawn.
  kInView = 0,
  // To be drawn when the camera turns.
  kAround = 1,
};

// One tile of a selection.
struct Wanted {
  wire::TileKey key;
  // Drawn through its four children, which are in the selection too.
  bool split = false;
  Need need = Need::kAround;
  // From the eye to the space that the tile's ground takes, in metres.
  double distance_m = 0;
};

// The factor on the tolerated error for tiles outside the picture.
inline constexpr double kAroundTolerance = 4;

// Max range of a view, in tiles of level 0.
inline constexpr double kMaxRangeTiles = 4;

// Max tiles that are split. A view that needs more gets coarser ground far away.
inline constexpr std::size_t kMaxSplits = 2'048;

// The tiles that a view needs, each with all its ancestors up to level 0.
//
// A tile is split where its forecast error, as seen from the eye, exceeds the tolerated one. The
// tree is restricted: tiles that are drawn and touch differ by one level at most. The same view and
// facts give the same selection anywhere: server and client choose alike.
class Selection {
 public:
  Selection() = default;

  // The view must have passed CheckView. The range is 4 tiles of level 0 at most.
  static Selection Of(const View& view, const Grid& grid, FactsOf facts_of);

  // In the order in which they are wanted: by need, coarse before fine, near before far.
  const std::vector<Wanted>& tiles() const { return tiles_; }

  // The tile, or null where it is not part of the selection.
  const Wanted* Find(const wire::TileKey& key) const;

  // That of the world.
  const Grid& grid() const { return grid_; }

 private:
  friend class Selector;

  Grid grid_;
  std::vector<Wanted> tiles_;
  absl::flat_hash_map<wire::TileKey, std::size_t> indices_;
};

}  // namespace thalweg::lod
