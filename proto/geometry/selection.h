// The tiles that a view needs: a restricted quadtree, refined where the error would be visible.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "proto/geometry/surface.h"
#include "proto/geometry/tile_tree.h"
#include "proto/geometry/view.h"

namespace thalweg::lod {

// An estimate of a tile's error and heights, from known facts of it and of the tiles that cover it.
// All numbers are in metres.
struct Forecast {
  // The error of the ground if this tile were drawn in place of its children.
  double error_m = 0;
  // The range of its ground's heights; unknown until a tile that covers it is known.
  bool has_heights = false;
  double min_height_m = 0;
  double max_height_m = 0;
};

// Estimates a tile. Relief is similar at every scale: a tile's children differ from it about half
// as much as it differs from its own parent. That difference is measured, and halves with every
// level below the last known tile. It is never less than 1/64 of a cell, to which heights are
// rounded. Level 0 has no parent: its difference counts as one cell.
Forecast ForecastOf(const WorldGrid& grid, const wire::TileKey& key, FactsOf facts_of);

// What a tile is needed for; the most urgent first.
enum class Need : std::uint8_t {
  // To be drawn in the picture, or because a tile of the picture can't be drawn without it.
  kInView = 0,
  // To be drawn when the camera turns.
  kAround = 1,
};

// One tile of a selection.
struct Wanted {
  wire::TileKey key;
  // Whether it is drawn through its four children, which are in the selection too.
  bool split = false;
  Need need = Need::kAround;
  // The distance from the eye to the space that the tile's ground takes, in metres.
  double distance_m = 0;
};

// The factor on the tolerated error for tiles outside the picture.
inline constexpr double kAroundTolerance = 4;

// Max range of a view, in tiles of level 0; longer ranges are cut.
inline constexpr double kMaxRangeTiles = 4;

// Max tiles that are split. A view that needs more has coarser ground far away.
inline constexpr std::size_t kMaxSplits = 2'048;

// The tiles that a view needs, each with all its ancestors up to level 0.
//
// A tile is split where its estimated error, seen from the eye, exceeds the tolerated one. The tree
// is restricted: drawn tiles that touch differ by at most one level. The same view and facts give
// the same selection everywhere, so server and client agree.
class Selection {
 public:
  Selection() = default;

  // Selects the tiles of a view, which must have passed CheckView.
  static Selection Of(const View& view, const WorldGrid& grid, FactsOf facts_of);

  // The tiles in the order in which they are wanted: by need, coarse before fine, near before far.
  const std::vector<Wanted>& tiles() const { return tiles_; }

  // Returns the tile, or null if it is not part of the selection.
  const Wanted* Find(const wire::TileKey& key) const;

  // The world's grid.
  const WorldGrid& grid() const { return grid_; }

 private:
  friend class Selector;

  WorldGrid grid_;
  std::vector<Wanted> tiles_;
  absl::flat_hash_map<wire::TileKey, std::size_t> indices_;
};

}  // namespace thalweg::lod
