#include "proto/geometry/tile_tree.h"

#include <cstddef>

namespace thalweg::lod {

using wire::TileKey;

TileKey ParentOf(const TileKey& key) { return AncestorOf(key, key.level - 1); }

std::array<TileKey, 4> ChildrenOf(const TileKey& key) {
  const auto child = [&key](int east, int south) {
    return TileKey{
        .face = key.face, .level = key.level + 1, .x = 2 * key.x + east, .y = 2 * key.y + south};
  };
  return {child(0, 0), child(1, 0), child(0, 1), child(1, 1)};
}

std::array<TileKey, 8> SquaresAround(const TileKey& key) {
  std::array<TileKey, 8> squares{};
  std::size_t n = 0;
  for (int south = -1; south <= 1; ++south) {
    for (int east = -1; east <= 1; ++east) {
      if (east == 0 && south == 0) continue;
      squares[n] = key;
      squares[n].x += east;
      squares[n].y += south;
      ++n;
    }
  }
  return squares;
}

std::array<TileKey, 4> ParentSquaresAround(const TileKey& key) {
  // Shifts of negative numbers round down, as the tiles of a plane do.
  const std::int64_t west = (key.x - 1) >> 1;
  const std::int64_t north = (key.y - 1) >> 1;
  const auto parent = [&](int east, int south) {
    return TileKey{.face = key.face, .level = key.level - 1, .x = west + east, .y = north + south};
  };
  return {parent(0, 0), parent(1, 0), parent(0, 1), parent(1, 1)};
}

TileKey AncestorOf(const TileKey& key, int level) {
  const int levels = key.level - level;
  return {.face = key.face, .level = level, .x = key.x >> levels, .y = key.y >> levels};
}

}  // namespace thalweg::lod
