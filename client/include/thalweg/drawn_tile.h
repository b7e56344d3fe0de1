// SPDX-License-Identifier: Apache-2.0

// Tiles to draw, and how the set of them changes from frame to frame.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

#include "thalweg/export.h"
#include "thalweg/tile.h"

namespace thalweg {

// The eight directions in which a tile touches others by an edge or a corner, row by row from the
// north-west. At a corner of a planet's face one direction has no tile, so there are seven.
enum class Side : std::uint8_t {
  kNorthWest = 0,
  kNorth = 1,
  kNorthEast = 2,
  kWest = 3,
  kEast = 4,
  kSouthWest = 5,
  kSouth = 6,
  kSouthEast = 7,
};

// A tile of the drawn set. Tiles are immutable and shared: a tile that a program holds stays valid.
struct DrawnTile {
  TileKey key;
  std::shared_ptr<const Tile> tile;
  // By Side: the tile drawn there if it is one level coarser, else null. Tiles that touch differ by
  // at most one level. The ground has cracks along these sides, unless its border follows the
  // coarser tile (StitchedHeights) or a skirt hides them.
  std::array<std::shared_ptr<const Tile>, 8> coarser = {};
};

// Returns the tile's 257 x 257 heights in 1/65,536 m; its first plane must be Layer::kHeight. The
// border follows coarser neighbours, so meshes of these heights have no cracks. A border vertex
// that the coarser tile also has takes its height. A vertex half-way between two of the coarser
// tile takes their mean, rounded down. (With Precision::kLattice the mean is exact. A mesh without
// these vertices then has no T-junctions.) A pure function; thread-safe.
THALWEG_API std::vector<std::int32_t> StitchedHeights(const DrawnTile& drawn);

// A tile replaced by its finer children, or several tiles replaced by their coarser parent.
struct Replacement {
  std::vector<TileKey> removed;
  std::vector<DrawnTile> added;
};

// Where a tile came from.
enum class TileSource : std::uint8_t { kServer = 0, kDisk = 1 };

// A tile that has arrived.
struct ArrivedTile {
  TileKey key;
  TileSource source = TileSource::kServer;
  // The size of its message.
  std::size_t wire_bytes = 0;
  // The time since the view first needed it; 0 if it arrived before it was needed.
  std::chrono::microseconds waited{0};
};

// The changes from the last drawn set to the next one. Apply all of them in one frame: the set is
// complete and without cracks before and after, but not in between.
struct FrameChanges {
  // Ground that was not drawn before, and ground that is no longer drawn.
  std::vector<DrawnTile> added;
  std::vector<TileKey> removed;
  // Ground drawn finer (one removed, several added) and coarser (several removed, one added).
  std::vector<Replacement> refined;
  std::vector<Replacement> coarsened;
  // Tiles that stay but have other neighbours: stitch their borders again.
  std::vector<DrawnTile> restitched;
  // Tiles that arrived since the last frame, drawn or not.
  std::vector<ArrivedTile> arrived;

  // Whether all ground within the camera's range is covered.
  bool complete = false;
  // Whether the drawn ground is also as fine as the camera asks for.
  bool finest = false;
  // Whether the drawn set, or what its borders follow, has changed.
  bool any() const {
    return !added.empty() || !removed.empty() || !refined.empty() || !coarsened.empty() ||
           !restitched.empty();
  }
};

}  // namespace thalweg
