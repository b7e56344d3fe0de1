#include "thalweg/planet.h"

#include <algorithm>
#include <array>

#include "client/src/contract/keys.h"
#include "proto/lod/surface.h"
#include "proto/lod/tile_facts.h"
#include "proto/sphere/cube_sphere.h"

namespace thalweg {
namespace {

constexpr std::size_t kVertices = std::size_t{kTileVertices} * kTileVertices;

SpaceVector ToSpace(const lod::Vector& v) { return {v.x, v.y, v.z}; }
lod::Vector FromSpace(const SpaceVector& v) { return {v.x, v.y, v.z}; }

// Directions do not depend on the planet's size.
std::unique_ptr<const lod::Surface> UnitPlanet() { return lod::SurfaceOf({.radius_m = 1}); }

// Returns the directions of a tile's vertices from the planet's middle, of length 1.
std::vector<lod::Vector> DirectionsOf(const wire::TileKey& key) {
  // A vertex's x depends only on its column, and its y only on its row.
  std::array<double, kTileVertices> across{};
  std::array<double, kTileVertices> down{};
  for (int n = 0; n < kTileVertices; ++n) {
    const lod::Place place = lod::PlaceOf(key, n, n);
    across[static_cast<std::size_t>(n)] = sphere::ToCube(place.x);
    down[static_cast<std::size_t>(n)] = sphere::ToCube(place.y);
  }
  const sphere::FaceAxes axes = sphere::AxesOf(key.face);
  std::vector<lod::Vector> directions;
  directions.reserve(kVertices);
  for (const double v : down) {
    const lod::Vector row = lod::VectorOf(axes.middle) + v * lod::VectorOf(axes.y);
    for (const double u : across) directions.push_back(lod::Unit(row + u * lod::VectorOf(axes.x)));
  }
  return directions;
}

void Add(const lod::Vector& vector, std::vector<float>& floats) {
  for (const double part : {vector.x, vector.y, vector.z}) {
    floats.push_back(static_cast<float>(part));
  }
}

// From the positions of the neighbouring vertices. At the border the vertex itself stands for a
// missing neighbour. The lattice's east, south and up are left-handed.
lod::Vector NormalAt(const std::vector<lod::Vector>& positions, std::size_t column,
                     std::size_t row) {
  constexpr std::size_t kLast = kTileCells;
  const auto at = [&positions](std::size_t x, std::size_t y) {
    return positions[y * kTileVertices + x];
  };
  const lod::Vector east = at(std::min(column + 1, kLast), row) - at(column - (column > 0), row);
  const lod::Vector south = at(column, std::min(row + 1, kLast)) - at(column, row - (row > 0));
  return lod::Unit(lod::Cross(south, east));
}

}  // namespace

SpaceVector SpacePointOf(const LatLong& place, double from_middle_m) {
  const sphere::Point point = sphere::PointOf(sphere::LatLong{place.latitude, place.longitude});
  return {from_middle_m * point.x, from_middle_m * point.y, from_middle_m * point.z};
}

LatLong LatLongOf(const SpaceVector& point_m) {
  const lod::Vector up = UnitPlanet()->UpAt(FromSpace(point_m));
  const sphere::LatLong place = sphere::LatLongOf({up.x, up.y, up.z});
  return {place.latitude, place.longitude};
}

Compass CompassAt(const SpaceVector& point_m) {
  const auto planet = UnitPlanet();
  const lod::Vector up = planet->UpAt(FromSpace(point_m));
  const lod::Vector north = planet->NorthAt(FromSpace(point_m));
  return {ToSpace(up), ToSpace(north), ToSpace(lod::Cross(north, up))};
}

TileVertices TileVerticesOf(const TileKey& key, double radius_m,
                            std::span<const std::int32_t> heights) {
  const wire::TileKey tile = ToWire(key);
  const bool known = wire::CheckTileKey(tile, wire::Shape::kSphere, wire::kMaxLevels).ok();
  if (!known || heights.size() < kVertices) return {};
  const std::vector<lod::Vector> directions = DirectionsOf(tile);
  const lod::Vector origin = radius_m * directions[kVertices / 2];
  std::vector<lod::Vector> positions;
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

}  // namespace thalweg
