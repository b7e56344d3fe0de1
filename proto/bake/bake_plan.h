// How a bake is cut into parts and shards.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"

namespace thalweg::bake {

// Vertices on a side of a part: 4 tiles, which a server computes as a whole.
inline constexpr int kPartSide = 1024;

// The most vertices on a side of a bake: 1,024 parts.
inline constexpr std::int64_t kMaxSide = std::int64_t{1} << 20;

// What the columns and rows of a bake are. Persisted in manifests and parts: numbers stay.
enum class Grid : std::uint8_t {
  // Vertices of a level, of the plane or of a face of a planet.
  kVertices = 0,
  // Of a whole planet by longitude, from -180° to the east, and by latitude, from 90° to the south:
  // values at the middles of pixels. Columns go on beyond 180°.
  kLatLong = 1,
  // Pixels of a face of a cube map, at equal steps on the cube: values at their middles.
  kCubeMap = 2,
};

// A rectangle of one level, by its north-west vertex or pixel.
struct Area {
  int level = 0;
  std::int64_t x0 = 0;
  std::int64_t y0 = 0;
  std::int64_t width = 0;
  std::int64_t height = 0;
  Grid grid = Grid::kVertices;
  // Of a planet, or of a cube map; else 0.
  int face = 0;

  friend bool operator==(const Area&, const Area&) = default;
};

// The vertices from (x, y) * kPartSide on, as many as a part's side in each axis.
struct Part {
  std::int64_t x = 0;
  std::int64_t y = 0;

  friend bool operator==(const Part&, const Part&) = default;
};

// One of several bakes that share the work.
struct Shard {
  int index = 0;
  int count = 1;
};

// INVALID_ARGUMENT unless each side is 1 to kMaxSide.
absl::Status CheckSides(const Area& area);

// The same of an area of the plane; OUT_OF_RANGE if it ends beyond `max_vertex` in either
// direction.
absl::Status CheckArea(const Area& area, std::int64_t max_vertex);

// What the part has of the area.
Area Clipped(const Area& area, const Part& part);

// The parts of a shard, in Morton order. All shards together have every part of the area once.
// Shards are cut between blocks of the coarsest size that gives at least eight of them a shard, so
// that few ancestors are computed by two.
std::vector<Part> PartsOf(const Area& area, const Shard& shard = {});

}  // namespace thalweg::bake
