#include "server/tile/sample_points.h"

#include <cmath>

#include "absl/strings/str_cat.h"
#include "proto/sphere/cube_sphere.h"
#include "proto/wire/status_macros.h"
#include "server/tile/tile_query.h"

namespace thalweg::tile {
namespace {

using sampling::PlacedPoint;
using Coordinates = google::protobuf::RepeatedField<double>;

absl::Status CheckNone(absl::string_view name, const Coordinates& coordinates,
                       absl::string_view instead) {
  if (coordinates.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("sample heights: invalid ", name,
                                                 ": expected none, since the world is ", instead,
                                                 ", got ", coordinates.size()));
}

absl::Status CheckCounts(const Coordinates& some, absl::string_view some_name,
                         const Coordinates& others, absl::string_view others_name) {
  if (some.size() == others.size()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("sample heights: ", some.size(), " ", some_name,
                                                 ", but ", others.size(), " ", others_name));
}

absl::Status CheckFinite(double coordinate) {
  if (std::isfinite(coordinate)) return absl::OkStatus();
  return absl::InvalidArgumentError("sample heights: a coordinate is no number");
}

absl::Status CheckDegrees(absl::string_view name, double degrees, double most) {
  THALWEG_RETURN_IF_ERROR(CheckFinite(degrees));
  if (std::abs(degrees) <= most) return absl::OkStatus();
  return absl::OutOfRangeError(absl::StrCat("sample heights: ", name, " ", degrees, "°: must be ",
                                            -most, "° to ", most, "°"));
}

// A coordinate in cells of a level, within those that it has.
absl::StatusOr<double> CellsOf(double metres, double cell_size_m) {
  constexpr double kMost = static_cast<double>(wire::kMaxVertex);
  THALWEG_RETURN_IF_ERROR(CheckFinite(metres));
  const double cells = metres / cell_size_m;
  if (cells >= -kMost && cells < kMost) return cells;
  return absl::OutOfRangeError(absl::StrCat("sample heights: ", metres, " m: the level reaches to ",
                                            kMost * cell_size_m, " m"));
}

absl::StatusOr<std::vector<PlacedPoint>> OnPlane(double cell_size_m,
                                                 const v1::SampleHeightsRequest& request) {
  THALWEG_RETURN_IF_ERROR(
      CheckNone("latitude_deg", request.latitude_deg(), "a plane (see east_m)"));
  THALWEG_RETURN_IF_ERROR(
      CheckNone("longitude_deg", request.longitude_deg(), "a plane (see south_m)"));
  THALWEG_RETURN_IF_ERROR(
      CheckCounts(request.east_m(), "eastings", request.south_m(), "southings"));
  constexpr double kLastCell = static_cast<double>(wire::kMaxVertex - 1);
  std::vector<PlacedPoint> points;
  for (int n = 0; n < request.east_m_size(); ++n) {
    THALWEG_ASSIGN_OR_RETURN(const double x, CellsOf(request.east_m(n), cell_size_m));
    THALWEG_ASSIGN_OR_RETURN(const double y, CellsOf(request.south_m(n), cell_size_m));
    points.push_back(sampling::PointAt(0, static_cast<int>(request.level()), x, y, kLastCell));
  }
  return points;
}

absl::StatusOr<std::vector<PlacedPoint>> OnPlanet(const v1::SampleHeightsRequest& request) {
  THALWEG_RETURN_IF_ERROR(CheckNone("east_m", request.east_m(), "a planet (see latitude_deg)"));
  THALWEG_RETURN_IF_ERROR(CheckNone("south_m", request.south_m(), "a planet (see longitude_deg)"));
  THALWEG_RETURN_IF_ERROR(
      CheckCounts(request.latitude_deg(), "latitudes", request.longitude_deg(), "longitudes"));
  std::vector<PlacedPoint> points;
  for (int n = 0; n < request.latitude_deg_size(); ++n) {
    const sphere::LatLong at{request.latitude_deg(n), request.longitude_deg(n)};
    THALWEG_RETURN_IF_ERROR(CheckDegrees("latitude", at.latitude, 90));
    THALWEG_RETURN_IF_ERROR(CheckDegrees("longitude", at.longitude, 180));
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
