#include "tests/proto/geometry/random_scene.h"

#include <cmath>
#include <numbers>

namespace thalweg::lod {
namespace {

// SplitMix64's finalizer over the key. The same tile and seed give the same number.
std::uint64_t Hash(std::uint64_t seed, const wire::TileKey& key) {
  std::uint64_t z = seed;
  for (const auto part : {static_cast<std::uint64_t>(key.level + 32 * key.face),
                          static_cast<std::uint64_t>(key.x), static_cast<std::uint64_t>(key.y)}) {
    z = (z ^ part) + 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
  }
  return z;
}

}  // namespace

std::vector<std::pair<wire::Shape, std::uint64_t>> Scenes(std::uint64_t seeds) {
  std::vector<std::pair<wire::Shape, std::uint64_t>> scenes;
  for (const wire::Shape shape : {wire::Shape::kPlane, wire::Shape::kSphere}) {
    for (std::uint64_t seed = 0; seed < seeds; ++seed) scenes.emplace_back(shape, seed);
  }
  return scenes;
}

RandomScene::RandomScene(std::uint64_t seed, wire::Shape shape) : seed_(seed) {
  std::mt19937_64 random(seed);
  const auto uniform = [&random](double least, double most) {
    return std::uniform_real_distribution(least, most)(random);
  };
  grid_ = {.cell_size_m = std::exp2(uniform(-2, 11)),
           .levels = std::uniform_int_distribution(1, 12)(random)};
  const double side = TileSizeM(grid_, 0);
  view_.position = {uniform(-3, 3) * side, uniform(-3, 3) * side, uniform(-0.01, 0.3) * side};
  view_.direction = {uniform(-1, 1), uniform(-1, 1), uniform(-1, 0.2)};
  view_.vertical_fov_deg = uniform(20, 110);
  view_.aspect = uniform(0.5, 2.5);
  view_.tolerated_error_px = uniform(1, 16);
  view_.range_m = uniform(0.05, 2) * side;
  if (shape == wire::Shape::kSphere) {
    grid_.radius_m = grid_.cell_size_m * wire::kTileCells * 2 / std::numbers::pi;
    const sphere::Vector place{uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
    const double height = grid_.radius_m * std::exp2(uniform(-12, 3));
    view_.position = (grid_.radius_m + height) * Unit(place);
    view_.direction = {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
    view_.range_m = std::exp2(uniform(-4, 2)) * grid_.radius_m;
  }
  known_percent_ = std::uniform_int_distribution<std::uint64_t>(0, 100)(random);
  roughness_ = uniform(0.05, 1.5);
}

const TileFacts* RandomScene::FactsOf(const wire::TileKey& key) {
  const std::uint64_t hash = Hash(seed_, key);
  if (hash % 100 >= known_percent_) return nullptr;
  const auto [place, fresh] = facts_.try_emplace(key);
  if (fresh) {
    const double share = static_cast<double>(hash >> 32) / 0x1p32;
    const double error_m = roughness_ * share * CellSizeM(grid_, key.level);
    place->second.geometric_error = static_cast<std::uint32_t>(error_m * 65'536);
    place->second.min_height = -65'536;
    place->second.max_height = 65'536 * 100;
  }
  return &place->second;
}

Selection RandomScene::Select() {
  return Selection::Of(view_, grid_, [this](const wire::TileKey& key) { return FactsOf(key); });
}

bool RandomScene::IsLoaded(const wire::TileKey& key, std::uint64_t percent) const {
  return Hash(seed_ + 1, key) % 100 < percent;
}

}  // namespace thalweg::lod
