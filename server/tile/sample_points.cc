#include "server/tile/sample_points.h"

#include <cmath>

#include "proto/sphere/cube_sphere.h"
#include "proto/wire/invalid.h"
#include "proto/wire/status_macros.h"
#include "server/tile/tile_query.h"

namespace thalweg::tile {
namespace {

using sampling::PlacedPoint;
using Coordinates = google::protobuf::RepeatedField<double>;
constexpr absl::StatusCode kOutOfRange = absl::StatusCode::kOutOfRange;

absl::Status CheckNone(absl::string_view name, const Coordinates& coordinates,
                       absl::string_view instead) {
  if (coordinates.empty()) return absl::OkStatus();
  return wire::Invalid(name, absl::StrCat("none, since the world is ", instead),
                       coordinates.size());
}

absl::Status CheckCounts(const Coordinates& some, absl::string_view some_name,
                         const Coordinates& others, absl::string_view others_name) {
  if (some.size() == others.size()) return absl::OkStatus();
  return wire::Invalid(others_name, absl::StrCat(some.size(), ", as many as ", some_name),
                       others.size());
}

absl::Status CheckFinite(absl::string_view name, double coordinate) {
  if (std::isfinite(coordinate)) return absl::OkStatus();
  return wire::Invalid(name, "a finite number", coordinate);
}

absl::Status CheckDegrees(absl::string_view name, double degrees, double max) {
  THALWEG_RETURN_IF_ERROR(CheckFinite(name, degrees));
  if (std::abs(degrees) <= max) return absl::OkStatus();
  return wire::Invalid(name, absl::StrCat(-max, " to ", max), degrees, kOutOfRange);
}

// A coordinate in cells of a level. OUT_OF_RANGE if the level does not have it.
absl::StatusOr<double> CellsOf(absl::string_view name, double metres, double cell_size_m) {
  constexpr double kMax = static_cast<double>(wire::kMaxVertex);
  THALWEG_RETURN_IF_ERROR(CheckFinite(name, metres));
  const double cells = metres / cell_size_m;
  if (cells >= -kMax && cells < kMax) return cells;
  const double reach_m = kMax * cell_size_m;
  return wire::Invalid(name, absl::StrCat(-reach_m, " to ", reach_m, " m at this level"), metres,
                       kOutOfRange);
}

absl::StatusOr<std::vector<PlacedPoint>> OnPlane(double cell_size_m,
                                                 const v1::SampleHeightsRequest& request) {
  THALWEG_RETURN_IF_ERROR(
      CheckNone("latitude_deg", request.latitude_deg(), "a plane (use east_m)"));
  THALWEG_RETURN_IF_ERROR(
      CheckNone("longitude_deg", request.longitude_deg(), "a plane (use south_m)"));
  THALWEG_RETURN_IF_ERROR(CheckCounts(request.east_m(), "east_m", request.south_m(), "south_m"));
  constexpr double kLastCell = static_cast<double>(wire::kMaxVertex - 1);
  std::vector<PlacedPoint> points;
  for (int n = 0; n < request.east_m_size(); ++n) {
    THALWEG_ASSIGN_OR_RETURN(const double x, CellsOf("east_m", request.east_m(n), cell_size_m));
    THALWEG_ASSIGN_OR_RETURN(const double y, CellsOf("south_m", request.south_m(n), cell_size_m));
    points.push_back(sampling::PointAt(0, static_cast<int>(request.level()), x, y, kLastCell));
  }
  return points;
}

absl::StatusOr<std::vector<PlacedPoint>> OnPlanet(const v1::SampleHeightsRequest& request) {
  THALWEG_RETURN_IF_ERROR(CheckNone("east_m", request.east_m(), "a planet (use latitude_deg)"));
  THALWEG_RETURN_IF_ERROR(CheckNone("south_m", request.south_m(), "a planet (use longitude_deg)"));
  THALWEG_RETURN_IF_ERROR(CheckCounts(request.latitude_deg(), "latitude_deg",
                                      request.longitude_deg(), "longitude_deg"));
  std::vector<PlacedPoint> points;
  for (int n = 0; n < request.latitude_deg_size(); ++n) {
    const sphere::LatLong at{request.latitude_deg(n), request.longitude_deg(n)};
    THALWEG_RETURN_IF_ERROR(CheckDegrees("latitude_deg", at.latitude, 90));
    THALWEG_RETURN_IF_ERROR(CheckDegrees("longitude_deg", at.longitude, 180));
    points.push_back(
        sampling::PointOn(sphere::PlaceOf(sphere::PointOf(at)), static_cast<int>(request.level())));
  }
  return points;
}

}  // namespace

absl::StatusOr<std::vector<PlacedPoint>> SamplePointsOf(const world::World& world,
                                                        const v1::SampleHeightsRequest& request) {
  if (ShapeOf(world) == wire::Shape::kSphere) return OnPlanet(request);
  return OnPlane(world.level(static_cast<int>(request.level())).cell_size_m, request);
}

}  // namespace thalweg::tile
