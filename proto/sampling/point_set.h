// Points of a planet, sorted by the tiles that they lie in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "proto/sampling/sample_point.h"

namespace thalweg::sampling {

class PointSet {
 public:
  // Sorts points by the tiles of one level.
  PointSet(std::span<const sphere::Point> points, int level);

  std::size_t size() const { return size_; }
  // The tiles, each once, ordered by face, row and column.
  const std::vector<wire::TileKey>& tiles() const { return tiles_; }
  // The index of a tile in tiles(); tiles().size() if it is not there.
  std::size_t Find(const wire::TileKey& key) const;

  // Writes the values of the points on the nth tile to `out`, from the tile's 257 x 257 values.
  // `out` has an entry for each point, in the order in which the points were given. Different tiles
  // may be taken at the same time.
  void Take(std::size_t n, std::span<const std::int32_t> values, Rule rule,
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
