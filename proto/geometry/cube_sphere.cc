#include "proto/geometry/cube_sphere.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>

namespace thalweg::sphere {
namespace {

// The direction of a quarter in a face's lattice, in the order of Side.
Axis DirectionOf(const FaceAxes& axes, int quarter) {
  switch (quarter & 3) {
    case 0:
      return axes.x;
    case 1:
      return axes.y;
    case 2:
      return -axes.x;
    default:
      return -axes.y;
  }
}

int FaceIn(const Axis& middle) {
  for (int face = 0; face < kFaces; ++face) {
    if (AxesOf(face).middle == middle) return face;
  }
  std::abort();  // every axis has a face
}

// The sides of its face that a vertex lies on.
std::vector<Side> SidesOf(const Vertex& vertex, std::int64_t cells) {
  std::vector<Side> sides;
  if (vertex.x == cells) sides.push_back(Side::kEast);
  if (vertex.y == cells) sides.push_back(Side::kSouth);
  if (vertex.x == 0) sides.push_back(Side::kWest);
  if (vertex.y == 0) sides.push_back(Side::kNorth);
  return sides;
}

constexpr double kRadiansPerDegree = std::numbers::pi / 180;

}  // namespace

Crossing Beyond(int face, Side side) {
  const FaceAxes here = AxesOf(face);
  const int quarter = static_cast<int>(side);
  const int other = FaceIn(DirectionOf(here, quarter));
  // A vector that leaves this face points away from this face's middle on the next one.
  for (int turns = 0; turns < 4; ++turns) {
    if (DirectionOf(AxesOf(other), quarter + turns) == -here.middle) return {other, turns};
  }
  std::abort();  // faces that share a side have each other's middle among their directions
}

Vertex Across(const Vertex& vertex, Side side, std::int64_t cells) {
  const Crossing crossing = Beyond(vertex.face, side);
  const int quarter = static_cast<int>(side);
  // From the middle, in half cells, so that a quarter turn is exact. First the origin moves to the
  // other face's middle.
  std::int64_t x = 2 * vertex.x - cells;
  std::int64_t y = 2 * vertex.y - cells;
  (quarter % 2 == 0 ? x : y) += quarter < 2 ? -2 * cells : 2 * cells;
  for (int turn = 0; turn < crossing.turns; ++turn) {
    const std::int64_t east = x;
    x = -y;
    y = east;
  }
  return {crossing.face, (x + cells) / 2, (y + cells) / 2};
}

std::vector<Vertex> SameAs(const Vertex& vertex, std::int64_t cells) {
  std::vector<Vertex> same = {vertex};
  for (const Side side : SidesOf(vertex, cells)) same.push_back(Across(vertex, side, cells));
  return same;
}

Vertex OwnerOf(const Vertex& vertex, std::int64_t cells) {
  return std::ranges::min(SameAs(vertex, cells));
}

double ToCube(double on_lattice) {
  const double s = on_lattice;
  return s >= 0.5 ? (4 * s * s - 1) / 3 : (1 - 4 * (1 - s) * (1 - s)) / 3;
}

double ToLattice(double on_cube) {
  const double u = on_cube;
  return u >= 0 ? 0.5 * std::sqrt(1 + 3 * u) : 1 - 0.5 * std::sqrt(1 - 3 * u);
}

Vector PointOf(const FacePlace& place) {
  const FaceAxes axes = AxesOf(place.face);
  const double u = ToCube(place.x);
  const double v = ToCube(place.y);
  const Vector on_cube = VectorOf(axes.middle) + u * VectorOf(axes.x) + v * VectorOf(axes.y);
  const double length = Length(on_cube);
  // The bits of points are fixed. Unit would change them, since it multiplies by the inverse.
  return {on_cube.x / length, on_cube.y / length, on_cube.z / length};
}

FacePlace PlaceOn(int face, const Vector& point) {
  const FaceAxes axes = AxesOf(face);
  const double depth = Dot(VectorOf(axes.middle), point);
  return {face, ToLattice(Dot(VectorOf(axes.x), point) / depth),
          ToLattice(Dot(VectorOf(axes.y), point) / depth)};
}

FacePlace PlaceOf(const Vector& point) {
  const auto towards = [&point](int face) { return Dot(VectorOf(AxesOf(face).middle), point); };
  int nearest = 0;
  for (int face = 1; face < kFaces; ++face) {
    if (towards(face) > towards(nearest)) nearest = face;
  }
  return PlaceOn(nearest, point);
}

Vector PointOf(const LatLong& place) {
  const double latitude = place.latitude * kRadiansPerDegree;
  const double longitude = place.longitude * kRadiansPerDegree;
  return {std::cos(latitude) * std::cos(longitude), std::cos(latitude) * std::sin(longitude),
          std::sin(latitude)};
}

LatLong LatLongOf(const Vector& point) {
  return {std::atan2(point.z, std::hypot(point.x, point.y)) / kRadiansPerDegree,
          std::atan2(point.y, point.x) / kRadiansPerDegree};
}

}  // namespace thalweg::sphere
