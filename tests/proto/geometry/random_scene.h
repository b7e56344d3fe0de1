// Views over random ground, from only a seed.
#pragma once

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "absl/container/node_hash_map.h"
#include "proto/geometry/selection.h"

namespace thalweg::lod {

// This many seeds for a plane, and as many for a planet.
std::vector<std::pair<wire::Shape, std::uint64_t>> Scenes(std::uint64_t seeds);

// A grid, a view over it and the facts of tiles. The seed decides all of them.
class RandomScene {
 public:
  // Over a planet, the eye is from 1/4,096 of the radius to 8 radii above the datum.
  explicit RandomScene(std::uint64_t seed, wire::Shape shape = wire::Shape::kPlane);

  const WorldGrid& grid() const { return grid_; }
  const View& view() const { return view_; }

  // The facts of a tile. They are known for a random share of all tiles, and null for the others.
  const TileFacts* FactsOf(const wire::TileKey& key);
  Selection Select();
  // Whether the tile is loaded, at random with this percentage.
  bool IsLoaded(const wire::TileKey& key, std::uint64_t percent) const;

 private:
  std::uint64_t seed_;
  WorldGrid grid_;
  View view_;
  std::uint64_t known_percent_ = 0;
  double roughness_ = 0;
  absl::node_hash_map<wire::TileKey, TileFacts> facts_;
};

}  // namespace thalweg::lod
