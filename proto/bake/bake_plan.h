// How a bake is cut into parts and shards.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"

namespace thalweg::bake {

// Returns the job index that Slurm, Kubernetes or AWS Batch put into the environment.
std::optional<int> IndexInArray();

// Vertices on a side of a part: 4 tiles, which a server computes together.
inline constexpr int kPartSide = 1024;

// Max vertices on a side of a bake: 1,024 parts.
inline constexpr std::int64_t kMaxSide = std::int64_t{1} << 20;

// What a bake's columns and rows are. Persisted in manifests and parts: never change the numbers.
enum class GridKind : std::uint8_t {
  // Vertices of a level, on a plane or on a face of a planet.
  kVertices = 0,
  // Pixels of a whole planet: columns by longitude, from -180° to the east, and rows by latitude,
  // from 90° to the south. Values are those at pixels' middles. Columns continue beyond 180°.
  kLatLong = 1,
  // Pixels of a face of a cube map, at equal steps on the cube: values at pixels' middles.
  kCubeMap = 2,
};

// A rectangle of one level, from its north-west vertex or pixel.
struct Area {
  int level = 0;
  std::int64_t x0 = 0;
  std::int64_t y0 = 0;
  std::int64_t width = 0;
  std::int64_t height = 0;
  GridKind grid = GridKind::kVertices;
  // The face of a planet or of a cube map; otherwise 0.
  int face = 0;

  friend bool operator==(const Area&, const Area&) = default;
};

// A square of kPartSide x kPartSide vertices that begins at (x, y) * kPartSide.
struct Part {
  std::int64_t x = 0;
  std::int64_t y = 0;

  friend bool operator==(const Part&, const Part&) = default;
};

// One of several bakes that share the work of an area.
struct Shard {
  int index = 0;
  int count = 1;
};

// INVALID_ARGUMENT unless each side is 1 to kMaxSide.
absl::Status CheckSides(const Area& area);

// The same for an area of a plane; OUT_OF_RANGE if it ends beyond `max_vertex` in either direction.
absl::Status CheckArea(const Area& area, std::int64_t max_vertex);

// Returns the part of the area that lies in `part`.
Area Clipped(const Area& area, const Part& part);

// Returns the parts of a shard, in Morton order. All shards together have every part of the area
// once. Shards are cut between blocks of the coarsest size that gives each shard at least eight
// blocks, so that few ancestors are computed twice.
std::vector<Part> PartsOf(const Area& area, const Shard& shard = {});

}  // namespace thalweg::bake
