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

// The eight tiles that touch one, by an edge or a corner: row by row from the north-west one. At a
// corner of a planet's face there are seven, none in the corner's direction.
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

// A tile of a set that is drawn together. Tiles are immutable and shared: one that a program holds
// stays valid whatever the view does.
struct DrawnTile {
  TileKey key;
  std::shared_ptr<const Tile> tile;
  // By Side: the tile one level coarser that is drawn there, or null. Tiles of a set that touch
  // differ by one level at most. Along these sides the ground has cracks unless its border follows
  // the coarser tile (StitchedHeights) or is hidden by a skirt.
  std::array<std::shared_ptr<const Tile>, 8> coarser = {};
};

// The tile's 257 x 257 heights (its first plane must be Layer::kHeight), the border's made to
// follow what is coarser beside it: meshes of them have no cracks. A border vertex that the coarser
// tile has too takes its height, one between two of its vertices their mean, rounded down. (The
// mean is exact with Precision::kLattice. A mesh that leaves these vertices out altogether has no
// T-junctions either.) Pure; any thread.
THALWEG_API std::vector<std::int32_t> StitchedHeights(const DrawnTile& drawn);

// Tiles that cover the same ground as others did before: one by several finer ones, or several by
// one coarser.
struct Replacement {
  std::vector<TileKey> removed;
  std::vector<DrawnTile> added;
};

// Where a tile came from.
enum class TileSource : std::uint8_t { kServer = 0, kDisk = 1 };

// A tile that came to hand.
struct ArrivedTile {
  TileKey key;
  TileSource source = TileSource::kServer;
  // Bytes of its message.
  std::size_t wire_bytes = 0;
  // Since the view first needed it; 0 for one that came before it was needed.
  std::chrono::microseconds waited{0};
};

// What is to be done to what was drawn so that it becomes what is to be drawn. Everything in it
// belongs to one frame: the set is complete and without cracks before and after, not between.
struct FrameChanges {
  // Ground that was not drawn before, and ground that is drawn no more.
  std::vector<DrawnTile> added;
  std::vector<TileKey> removed;
  // Ground drawn finer (one removed, several added) and coarser (several removed, one added).
  std::vector<Replacement> refined;
  std::vector<Replacement> coarsened;
  // Tiles that stay and have other neighbours: their borders must be stitched anew.
  std::vector<DrawnTile> restitched;
  // Tiles that came to hand since the last frame, drawn or not.
  std::vector<ArrivedTile> arrived;

  // Whether all ground within the camera's range is covered.
  bool complete = false;
  // Whether it is complete and nothing in it is coarser than the camera wants.
  bool finest = false;
  // Whether anything of the set changed.
  bool any() const {
    return !added.empty() || !removed.empty() || !refined.empty() || !coarsened.empty() ||
           !restitched.empty();
  }
};

}  // namespace thalweg
