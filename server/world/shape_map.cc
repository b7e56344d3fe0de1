#include "server/world/shape_map.h"

#include <algorithm>
#include <cmath>

#include "server/stages/host_math.h"

namespace thalweg::world {
namespace {

constexpr double kDegreesPerRadian = 57.29577951308232;
// Edges of great circles longer than this are cut.
constexpr double kLongestEdge = 4 / kDegreesPerRadian;

// The points, with more of them on long edges, and the first one again if the line is closed.
std::vector<sphere::Vector> Joined(const Positions& positions, bool is_closed) {
  std::vector<sphere::Vector> points;
  const int edges = is_closed ? positions.size() : positions.size() - 1;
  for (int i = 0; i < edges; ++i) {
    const sphere::Vector from = UnitVector(positions[i]);
    const sphere::Vector to = UnitVector(positions[(i + 1) % positions.size()]);
    const int pieces = static_cast<int>(std::ceil(sphere::Length(to - from) / kLongestEdge));
    points.push_back(from);
    for (int piece = 1; piece < pieces; ++piece) {
      points.push_back(sphere::Unit(from + (static_cast<double>(piece) / pieces) * (to - from)));
    }
  }
  points.push_back(UnitVector(positions[is_closed ? 0 : positions.size() - 1]));
  return points;
}

}  // namespace

double ApartM(const Corner& a, const Corner& b) {
  const double east = a.east - b.east;
  const double south = a.south - b.south;
  return std::sqrt(east * east + south * south);
}

double Chord(double along_m, double radius_m) {
  const double degrees = std::min(std::abs(along_m) / (2 * radius_m) * kDegreesPerRadian, 90.0);
  return std::copysign(2 * radius_m * stages::HeadingOf(degrees).east, along_m);
}

sphere::Vector UnitVector(const v1::Position& position) {
  // HeadingOf has the sine as its east, and the cosine as the opposite of its south.
  const auto turn = [](double degrees) {
    return stages::HeadingOf(degrees < 0 ? degrees + 360 : degrees);
  };
  const stages::Heading latitude = turn(position.latitude_deg());
  const stages::Heading longitude = turn(position.longitude_deg());
  return {latitude.south * longitude.south, -latitude.south * longitude.east, latitude.east};
}

Turns TurnsOf(const sphere::Vector& middle) {
  const double from_axis = std::sqrt(middle.x * middle.x + middle.y * middle.y);
  Turns turns{.tangent = middle.z / (1 + from_axis)};
  constexpr double kAtPole = 1e-12;
  if (from_axis > kAtPole) {
    turns.cosine = middle.x / from_axis;
    turns.sine = middle.y / from_axis;
  }
  return turns;
}

Corner OnMap(const sphere::Vector& point, const sphere::Vector& middle, double radius_m) {
  const sphere::Vector from = point - middle;
  const Turns turns = TurnsOf(middle);
  const double square = turns.tangent * turns.tangent;
  const double outward = from.x * turns.cosine + from.y * turns.sine;
  const double east = from.y * turns.cosine - from.x * turns.sine;
  const double south = (outward * 2 * turns.tangent - from.z * (1 - square)) / (1 + square);
  const double flat = std::sqrt(east * east + south * south);
  if (flat == 0) return {};
  const double scale = radius_m * sphere::Length(from) / flat;
  return {east * scale, south * scale};
}

ShapeMap ShapeMap::OnSphere(const Positions& positions, bool is_closed, double radius_m) {
  ShapeMap map;
  for (const v1::Position& position : positions) map.middle = map.middle + UnitVector(position);
  // Points all around the sphere have no middle; CheckPlaced refuses them.
  const double length = sphere::Length(map.middle);
  map.middle = length > 0 ? (1 / length) * map.middle : UnitVector(positions[0]);
  for (const sphere::Vector& point : Joined(positions, is_closed)) {
    map.corners.push_back(OnMap(point, map.middle, radius_m));
  }
  return map;
}

ShapeMap ShapeMap::OnPlane(const Positions& positions, bool is_closed) {
  const auto [west, east] =
      std::ranges::minmax_element(positions, {}, [](const auto& at) { return at.east_m(); });
  const auto [north, south] =
      std::ranges::minmax_element(positions, {}, [](const auto& at) { return at.south_m(); });
  ShapeMap map;
  map.middle = {(west->east_m() + east->east_m()) / 2, (north->south_m() + south->south_m()) / 2,
                0};
  const int corners = positions.size() + (is_closed ? 1 : 0);
  for (int i = 0; i < corners; ++i) {
    const v1::Position& position = positions[i % positions.size()];
    map.corners.push_back({position.east_m() - map.middle.x, position.south_m() - map.middle.y});
  }
  return map;
}

}  // namespace thalweg::world
