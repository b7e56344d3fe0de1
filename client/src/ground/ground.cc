#include "client/src/ground/ground.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

#include "client/src/contract/messages.h"
#include "proto/geometry/cube_sphere.h"
#include "proto/geometry/tile_tree.h"
#include "thalweg/drawn_tile.h"
#include "thalweg/planet.h"

namespace thalweg {
namespace {

double VertexHeightM(const Tile& tile, int column, int row) {
  const std::size_t at =
      static_cast<std::size_t>(row) * kTileVertices + static_cast<std::size_t>(column);
  return lod::kHeightUnitM * tile.planes.front().values[at];
}

// Makes borders follow coarser neighbours.
std::int32_t ValueAt(const Tile& tile, std::int64_t x, std::int64_t y) {
  return tile.planes.front().values[static_cast<std::size_t>(y * kTileVertices + x)];
}

std::int32_t MeanDown(std::int32_t a, std::int32_t b) {
  return static_cast<std::int32_t>((std::int64_t{a} + b) >> 1);
}

// Returns a vertex of a tile's border in the lattice of another tile's face. The vertex lies on
// both faces; on a planet the other face may be turned.
sphere::Vertex OnFaceOf(const Tile& other, const TileKey& key, int column, int row) {
  const sphere::Vertex vertex{key.face, key.x * kTileCells + column, key.y * kTileCells + row};
  if (other.key.face == key.face) return vertex;
  // Each of the four neighbouring faces lies beyond one of this face's sides.
  const auto side = std::ranges::find_if(sphere::kSides, [&](sphere::Side beyond) {
    return sphere::Beyond(key.face, beyond).face == other.key.face;
  });
  if (side == sphere::kSides.end()) return vertex;
  return sphere::Across(vertex, *side, std::int64_t{kTileCells} << key.level);
}

// Returns the height of a coarser tile's border at a vertex of the finer level: one of the coarser
// tile's own, or half-way between two. Coordinates are those on the coarser tile's face.
std::int32_t BorderHeight(const Tile& coarse, std::int64_t x, std::int64_t y) {
  const std::int64_t local_x = (x >> 1) - coarse.key.x * kTileCells;
  const std::int64_t local_y = (y >> 1) - coarse.key.y * kTileCells;
  const std::int32_t height = ValueAt(coarse, local_x, local_y);
  if ((x & 1) != 0) return MeanDown(height, ValueAt(coarse, local_x + 1, local_y));
  if ((y & 1) != 0) return MeanDown(height, ValueAt(coarse, local_x, local_y + 1));
  return height;
}

// The vertices that a tile shares with its neighbour in a direction (-1, 0, 1).
struct VertexRange {
  int first;
  int last;
};

VertexRange Shared(int direction) {
  if (direction < 0) return {0, 0};
  if (direction > 0) return {kTileCells, kTileCells};
  return {0, kTileCells};
}

void Follow(const Tile& coarse, int east, int south, const TileKey& key,
            std::vector<std::int32_t>& heights) {
  const VertexRange columns = Shared(east);
  const VertexRange rows = Shared(south);
  for (int row = rows.first; row <= rows.last; ++row) {
    for (int column = columns.first; column <= columns.last; ++column) {
      const std::size_t at =
          static_cast<std::size_t>(row) * kTileVertices + static_cast<std::size_t>(column);
      const sphere::Vertex vertex = OnFaceOf(coarse, key, column, row);
      heights[at] = BorderHeight(coarse, vertex.x, vertex.y);
    }
  }
}

constexpr std::size_t kVertices = std::size_t{kTileVertices} * kTileVertices;

// Directions do not depend on the planet's size.
std::unique_ptr<const lod::Surface> UnitPlanet() { return lod::SurfaceOf({.radius_m = 1}); }

// Returns the directions of a tile's vertices from the planet's middle, of length 1.
std::vector<sphere::Vector> DirectionsOf(const wire::TileKey& key) {
  // A vertex's x depends only on its column, and its y only on its row.
  std::array<double, kTileVertices> across{};
  std::array<double, kTileVertices> down{};
  for (int n = 0; n < kTileVertices; ++n) {
    const lod::Place place = lod::PlaceOf(key, n, n);
    across[static_cast<std::size_t>(n)] = sphere::ToCube(place.x);
    down[static_cast<std::size_t>(n)] = sphere::ToCube(place.y);
  }
  const sphere::FaceAxes axes = sphere::AxesOf(key.face);
  std::vector<sphere::Vector> directions;
  directions.reserve(kVertices);
  for (const double v : down) {
    const sphere::Vector row = sphere::VectorOf(axes.middle) + v * sphere::VectorOf(axes.y);
    for (const double u : across) {
      directions.push_back(sphere::Unit(row + u * sphere::VectorOf(axes.x)));
    }
  }
  return directions;
}

void Add(const sphere::Vector& vector, std::vector<float>& floats) {
  for (const double part : {vector.x, vector.y, vector.z}) {
    floats.push_back(static_cast<float>(part));
  }
}

// From the positions of the neighbouring vertices. At the border the vertex itself stands for a
// missing neighbour. The lattice's east, south and up are left-handed.
sphere::Vector NormalAt(const std::vector<sphere::Vector>& positions, std::size_t column,
                        std::size_t row) {
  constexpr std::size_t kLast = kTileCells;
  const auto at = [&positions](std::size_t x, std::size_t y) {
    return positions[y * kTileVertices + x];
  };
  const sphere::Vector east = at(std::min(column + 1, kLast), row) - at(column - (column > 0), row);
  const sphere::Vector south = at(column, std::min(row + 1, kLast)) - at(column, row - (row > 0));
  return sphere::Unit(sphere::Cross(south, east));
}

}  // namespace

double LowestM(const Tile& tile) { return lod::kHeightUnitM * tile.planes.front().min; }
double HighestM(const Tile& tile) { return lod::kHeightUnitM * tile.planes.front().max; }

Patch::Patch(const Tile& tile, int column, int row) {
  const double nw = VertexHeightM(tile, column, row);
  const double ne = VertexHeightM(tile, column + 1, row);
  const double sw = VertexHeightM(tile, column, row + 1);
  const double se = VertexHeightM(tile, column + 1, row + 1);
  a = nw;
  b = ne - nw;
  c = sw - nw;
  d = nw - ne - sw + se;
}

PlaceInTile InTile(const wire::TileKey& key, const lod::Place& place) {
  const int bits = key.level + wire::kTileBits;
  return {std::ldexp(place.x, bits) - static_cast<double>(key.x) * kTileCells,
          std::ldexp(place.y, bits) - static_cast<double>(key.y) * kTileCells};
}

std::optional<double> FirstRoot(double c0, double c1, double c2, double max) {
  if (c0 == 0) return 0;
  double min = std::numeric_limits<double>::infinity();
  const auto consider = [&](double t) {
    if (t >= 0 && t <= max) min = std::min(min, t);
  };
  const double discriminant = c1 * c1 - 4 * c2 * c0;
  if (discriminant < 0) return std::nullopt;
  // This form avoids cancellation: Press et al., Numerical Recipes, section 5.6.
  const double q = -0.5 * (c1 + std::copysign(std::sqrt(discriminant), c1));
  if (q != 0) consider(c0 / q);
  if (c2 != 0) consider(q / c2);
  if (min == std::numeric_limits<double>::infinity()) return std::nullopt;
  return min;
}

std::vector<std::int32_t> StitchedHeights(const DrawnTile& drawn) {
  std::vector<std::int32_t> heights = drawn.tile->planes.front().values;
  std::size_t side = 0;
  for (int south = -1; south <= 1; ++south) {
    for (int east = -1; east <= 1; ++east) {
      if (east == 0 && south == 0) continue;
      const Tile* coarse = drawn.coarser[side++].get();
      if (coarse != nullptr) Follow(*coarse, east, south, drawn.key, heights);
    }
  }
  return heights;
}

SpaceVector SpacePointOf(const LatLong& place, double from_middle_m) {
  const sphere::Vector point = sphere::PointOf(sphere::LatLong{place.latitude, place.longitude});
  return ToSpace(from_middle_m * point);
}

LatLong LatLongOf(const SpaceVector& point_m) {
  const sphere::Vector up = UnitPlanet()->UpAt(ToVector(point_m));
  const sphere::LatLong place = sphere::LatLongOf(up);
  return {place.latitude, place.longitude};
}

Compass CompassAt(const SpaceVector& point_m) {
  const auto planet = UnitPlanet();
  const sphere::Vector up = planet->UpAt(ToVector(point_m));
  const sphere::Vector north = planet->NorthAt(ToVector(point_m));
  return {ToSpace(up), ToSpace(north), ToSpace(sphere::Cross(north, up))};
}

TileVertices TileVerticesOf(const TileKey& key, double radius_m,
                            std::span<const std::int32_t> heights) {
  const wire::TileKey tile = ToWire(key);
  const bool known = wire::CheckTileKey(tile, wire::Shape::kSphere, wire::kMaxLevels).ok();
  if (!known || heights.size() < kVertices) return {};
  const std::vector<sphere::Vector> directions = DirectionsOf(tile);
  const sphere::Vector origin = radius_m * directions[kVertices / 2];
  std::vector<sphere::Vector> positions;
  positions.reserve(kVertices);
  for (std::size_t n = 0; n < kVertices; ++n) {
    positions.push_back((radius_m + lod::kHeightUnitM * heights[n]) * directions[n] - origin);
  }
  TileVertices vertices{.origin_m = ToSpace(origin)};
  for (std::vector<float>* floats : {&vertices.positions_m, &vertices.ups, &vertices.normals}) {
    floats->reserve(3 * kVertices);
  }
  for (std::size_t n = 0; n < kVertices; ++n) {
    Add(positions[n], vertices.positions_m);
    Add(directions[n], vertices.ups);
    Add(NormalAt(positions, n % kTileVertices, n / kTileVertices), vertices.normals);
  }
  return vertices;
}

std::optional<wire::TileKey> KeyAt(const lod::WorldGrid& grid, const lod::Place& place, int level) {
  double x = std::floor(std::ldexp(place.x, level));
  double y = std::floor(std::ldexp(place.y, level));
  if (lod::ShapeOf(grid) == wire::Shape::kSphere) {
    // A point on the far edge of a planet's face belongs to the last tiles.
    const double last = std::ldexp(1, level) - 1;
    x = std::min(x, last);
    y = std::min(y, last);
  }
  constexpr double kMax = static_cast<double>(wire::kMaxVertex) / wire::kTileCells;
  if (!(std::abs(x) < kMax && std::abs(y) < kMax)) return std::nullopt;
  return wire::TileKey{.face = place.face,
                       .level = level,
                       .x = static_cast<std::int64_t>(x),
                       .y = static_cast<std::int64_t>(y)};
}

FinestTile FinestTileAt(const lod::WorldGrid& grid, TileAt tile_at, const lod::Place& place) {
  FinestTile finest;
  for (int level = 0; level < grid.levels; ++level) {
    const auto key = KeyAt(grid, place, level);
    std::shared_ptr<const Tile> finer = key ? tile_at(*key) : nullptr;
    if (finer == nullptr) break;
    finest = {*key, std::move(finer)};
  }
  return finest;
}

std::optional<double> GroundHeightAt(const lod::WorldGrid& grid, TileAt tile_at,
                                     const lod::Place& place) {
  const auto [key, tile] = FinestTileAt(grid, tile_at, place);
  if (tile == nullptr) return std::nullopt;
  const PlaceInTile at = InTile(key, place);
  const int column = std::clamp(static_cast<int>(at.x), 0, kTileCells - 1);
  const int row = std::clamp(static_cast<int>(at.y), 0, kTileCells - 1);
  return Patch(*tile, column, row).At(at.x - column, at.y - row);
}

}  // namespace thalweg
