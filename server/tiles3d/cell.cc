#include "server/tiles3d/cell.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "proto/wire/invalid.h"
#include "server/geographic/tiling.h"

namespace thalweg::tiles3d {
namespace {

absl::Status CheckNumber(const char* name, std::int64_t number, std::int64_t count) {
  if (number >= 0 && number < count) return absl::OkStatus();
  return wire::Invalid(name, absl::StrCat("0 to ", count - 1), number, absl::StatusCode::kNotFound);
}

std::int64_t CellsAt(int level) { return std::int64_t{1} << level; }

}  // namespace

sphere::Vector DirectionOf(const wire::TileKey& key, int column, int row) {
  const std::int64_t cells = std::int64_t{wire::kTileCells} << key.level;
  sphere::Vertex vertex{.face = key.face,
                        .x = key.x * wire::kTileCells + column,
                        .y = key.y * wire::kTileCells + row};
  const auto on_edge = [cells](std::int64_t at) { return at == 0 || at == cells; };
  if (on_edge(vertex.x) || on_edge(vertex.y)) vertex = sphere::OwnerOf(vertex, cells);
  const auto side = static_cast<double>(cells);
  return sphere::PointOf(sphere::FacePlace{.face = vertex.face,
                                           .x = static_cast<double>(vertex.x) / side,
                                           .y = static_cast<double>(vertex.y) / side});
}

v1::Layer SurfaceOf(const world::World& world) {
  return geographic::HasWater(world) ? v1::LAYER_WATER_LEVEL : v1::LAYER_HEIGHT;
}

double GeometricErrorM(const world::World& world, int level) {
  return 8 * world.level(level).cell_size_m;
}

double MarginM(const world::World& world, int level) { return 2 * world.level(level).cell_size_m; }

double SkirtM(const world::World& world, int level) { return 4 * world.level(level).cell_size_m; }

wire::TileKey TileOf(const Cell& cell) {
  return {
      .face = cell.face, .level = cell.level, .x = cell.x, .y = CellsAt(cell.level) - 1 - cell.y};
}

Cell Below(const Cell& cell, int levels, std::int64_t columns, std::int64_t rows) {
  return {.face = cell.face,
          .level = cell.level + levels,
          .x = cell.x * CellsAt(levels) + columns,
          .y = cell.y * CellsAt(levels) + rows};
}

std::string TokenOf(int face) {
  // The id is three bits of the face, a 1, and zeros: only its first hexadecimal digit is not 0.
  return absl::StrCat(absl::Hex(2 * face + 1));
}

absl::Status CheckCell(const Cell& cell, const world::World& world) {
  absl::Status status = CheckNumber("face", cell.face, sphere::kFaces);
  status.Update(CheckNumber("level", cell.level, world.levels()));
  if (!status.ok()) return status;
  status.Update(CheckNumber("column", cell.x, CellsAt(cell.level)));
  status.Update(CheckNumber("row", cell.y, CellsAt(cell.level)));
  return status;
}

HeightBounds WidestBounds(const world::World& world) {
  return {-kMaxHeightM - SkirtM(world, 0), kMaxHeightM};
}

HeightBounds SubtreeHeights::Of(const Cell& cell) const {
  const int levels = cell.level - root_.level;
  const int side = wire::kTileCells >> levels;
  const wire::TileKey root = TileOf(root_);
  const wire::TileKey key = TileOf(cell);
  const auto first = [&](std::int64_t at, std::int64_t root_at) {
    return static_cast<std::size_t>((at - (root_at << levels)) * side);
  };
  std::int32_t min = std::numeric_limits<std::int32_t>::max();
  std::int32_t max = std::numeric_limits<std::int32_t>::min();
  for (int row = 0; row <= side; ++row) {
    const std::size_t begin =
        (first(key.y, root.y) + static_cast<std::size_t>(row)) * wire::kTileVertices +
        first(key.x, root.x);
    for (const std::int32_t height : heights_.subspan(begin, static_cast<std::size_t>(side) + 1)) {
      min = std::min(min, height);
      max = std::max(max, height);
    }
  }
  const double margin_m = MarginM(world_, root_.level);
  return {std::max(std::ldexp(min, -16) - margin_m, -kMaxHeightM) - SkirtM(world_, cell.level),
          std::min(std::ldexp(max, -16) + margin_m, kMaxHeightM)};
}

}  // namespace thalweg::tiles3d
