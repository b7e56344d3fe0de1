// How the ground is divided: the constants and coordinates that client and server share.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

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
// (proto/geometry), each of 2^level x 2^level tiles.
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

// The metadata of a GetTile or StreamTiles call that names its tile's area, for proxies to hash.
// Servers don't read it. deploy/nginx finds the same areas from the paths of tiles over HTTP.
inline constexpr char kAreaHeader[] = "x-thalweg-area";

// An area is a tile of level 0, 4, 8, ... with three generations of its descendants. So at three of
// four levels a tile's parent is in the same area, and the same server computes both.
inline constexpr int kAreaLevels = 4;

// Returns "WORLD/FACE/LEVEL/X/Y" of the tile that names the area. ASCII, whatever characters the
// world's name has.
std::string AreaOf(std::string_view world, const TileKey& key);

// A square window of the plane, shown as the world of a web map: the XYZ pyramid over 2^bits x
// 2^bits tiles of level 0. Zoom bits + L shows level L.
struct MapWindow {
  int bits = 4;
  // The north-western tile of level 0.
  std::int64_t west = 0;
  std::int64_t north = 0;
};

inline constexpr int kMaxWindowBits = 16;

// Returns the first tile, along an axis, of a window of 2^bits tiles around a centre in metres. The
// centre moves to the nearest corner of a tile (for a window of one tile, into the tile). Nothing
// for a centre outside the plane.
std::optional<std::int64_t> WindowCorner(double centre_m, int bits, double level0_tile_m);

// Returns the tile of a zoom, column and row (given as level, x and y). OUT_OF_RANGE outside the
// window, at zooms that show no level, and beyond the plane's end.
absl::StatusOr<TileKey> TileOf(const MapWindow& window, const TileKey& zoomed, int levels);

// Returns the zoom, column and row of a tile, as level, x and y; nothing outside the window.
std::optional<TileKey> ZoomedOf(const MapWindow& window, const TileKey& key);

// Division that rounds down, as the cells of negative vertices need. b must not be 0.
constexpr std::int64_t FloorDivide(std::int64_t a, std::int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

}  // namespace thalweg::wire
