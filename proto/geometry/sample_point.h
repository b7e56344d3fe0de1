// A point within a tile, and the value there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "proto/geometry/cube_sphere.h"
#include "proto/wire/tile_key.h"
#include "thalweg/v1/tile.pb.h"

namespace thalweg::sampling {

// The weights of a point's position in its cell add up to this.
inline constexpr int kWeightBits = 15;
inline constexpr std::int64_t kWeight = 1 << kWeightBits;

// A point's cell, columns and rows 0 to 255, and its position in the cell, 0 to kWeight.
struct SamplePoint {
  std::uint16_t column = 0;
  std::uint16_t row = 0;
  std::uint16_t east = 0;
  std::uint16_t south = 0;
};

// A point with the tile that it lies in.
struct PlacedPoint {
  wire::TileKey key;
  SamplePoint point;
};

// Returns a point from its distance in cells from the face's origin. A point on or beyond the last
// vertices is in `last_cell`, with all weight on the far side.
PlacedPoint PointAt(int face, int level, double x, double y, double last_cell);

// The same on a planet.
PlacedPoint PointOn(const sphere::FacePlace& place, int level);

// How a layer is read between vertices. Packed values and angles have no mean.
enum class Rule : std::uint8_t { kBilinear, kNearest };
Rule RuleOf(v1::Layer layer);

// Returns a value among a tile's 257 x 257. Bilinear values are rounded down.
std::int32_t ValueAt(std::span<const std::int32_t> values, const SamplePoint& point, Rule rule);

// Points of a planet, sorted by the tiles that they lie in.
class PointSet {
 public:
  // Sorts points by the tiles of one level.
  PointSet(std::span<const sphere::Vector> points, int level);

  std::size_t size() const { return size_; }
  // The tiles, each once, ordered by face, row and column.
  const std::vector<wire::TileKey>& tiles() const { return tiles_; }
  // The index of a tile in tiles(); tiles().size() if it is not there.
  std::size_t Find(const wire::TileKey& key) const;

  // Writes the values of the points on the nth tile to `out`, from the tile's 257 x 257 values.
  // `out` has an entry for each point, in the order in which the points were given. Different tiles
  // may be sampled at the same time.
  void Sample(std::size_t n, std::span<const std::int32_t> values, Rule rule,
              std::span<std::int32_t> out) const;

 private:
  struct NumberedPoint {
    std::uint32_t number;
    SamplePoint point;
  };

  std::size_t size_;
  std::vector<wire::TileKey> tiles_;
  std::vector<std::vector<NumberedPoint>> points_;
};

}  // namespace thalweg::sampling
