// How the ground is divided: the constants and coordinates that client and server share.
#pragma once

#include <cstdint>

#include "absl/status/status.h"

namespace thalweg::wire {

// Cells, and vertices, on a side of a tile. Neighbours share their edge vertices.
inline constexpr int kTileBits = 8;
inline constexpr int kTileCells = 1 << kTileBits;
inline constexpr int kTileVertices = kTileCells + 1;

// Vertices of every level reach from -kMaxVertex to kMaxVertex.
inline constexpr std::int64_t kMaxVertex = std::int64_t{1} << 48;

// Max levels of a world.
inline constexpr int kMaxLevels = 21;

// What a world's tiles lie on. A plane is one infinite face. A sphere has the six faces of a cube
// (proto/sphere), each of 2^level x 2^level tiles.
enum class Shape : std::uint8_t { kPlane, kSphere };

// Names a tile of a level. It begins at vertex (256 x, 256 y) of its face; y grows to the south.
struct TileKey {
  int face = 0;
  int level = 0;
  std::int64_t x = 0;
  std::int64_t y = 0;

  // NOLINTNEXTLINE(modernize-use-nullptr): what clang-tidy 14 takes the comparison with 0 for.
  friend auto operator<=>(const TileKey&, const TileKey&) = default;

  template <typename H>
  friend H AbslHashValue(H h, const TileKey& key) {
    return H::combine(std::move(h), key.face, key.level, key.x, key.y);
  }
};

// OUT_OF_RANGE, naming the range, unless the tile's face exists, its level is less than `levels`,
// and its vertices are within kMaxVertex on a plane, on the face on a sphere.
absl::Status CheckTileKey(const TileKey& key, Shape shape, int levels);

// The shape with the wider range of keys, for when the world is unknown: on face 0 a plane has
// every tile that a sphere has.
Shape WidestShapeOf(const TileKey& key);

}  // namespace thalweg::wire
