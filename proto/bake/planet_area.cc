#include "proto/bake/planet_area.h"

#include <cmath>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "proto/wire/status_macros.h"
#include "proto/wire/tile_key.h"

namespace thalweg::bake {
namespace {

// Cells along a side of a face.
std::int64_t CellsOf(int level) { return std::int64_t{wire::kTileCells} << level; }

// How many columns and rows exist: a face has vertices on all its edges, pixels lie between edges.
struct Size {
  std::int64_t columns;
  std::int64_t rows;
};

Size WholeOf(const Area& area) {
  const std::int64_t cells = CellsOf(area.level);
  if (area.grid == GridKind::kVertices) return {cells + 1, cells + 1};
  if (area.grid == GridKind::kLatLong) return {4 * cells, 2 * cells};
  return {cells, cells};
}

absl::Status CheckDegrees(const char* name, double degrees, double max) {
  if (std::abs(degrees) <= max) return absl::OkStatus();
  return absl::OutOfRangeError(
      absl::StrCat("invalid ", name, ": expected ", -max, "° to ", max, "°, got ", degrees, "°"));
}

// The first pixel whose middle is at or after this angle from the first edge.
std::int64_t PixelFrom(double degrees, double step) {
  return static_cast<std::int64_t>(std::ceil(degrees / step - 0.5));
}

sphere::Vector OnCube(int face, double s, double t) {
  switch (face) {
    case 0:
      return {1, s, -t};
    case 1:
      return {-1, -s, -t};
    case 2:
      return {s, -t, 1};
    case 3:
      return {s, t, -1};
    case 4:
      return {s, -1, -t};
    default:
      return {-s, 1, -t};
  }
}

}  // namespace

double DegreesPerPixel(int level) { return 90.0 / static_cast<double>(CellsOf(level)); }

absl::StatusOr<Area> AreaOfRegion(int level, const LatLongBox& region) {
  for (const auto& [name, degrees, max] :
       {std::tuple{"west", region.west, 180.0}, std::tuple{"east", region.east, 180.0},
        std::tuple{"south", region.south, 90.0}, std::tuple{"north", region.north, 90.0}}) {
    const absl::Status checked = CheckDegrees(name, degrees, max);
    if (!checked.ok()) return checked;
  }
  if (!(region.south < region.north)) {
    return absl::InvalidArgumentError(
        absl::StrCat("invalid region: expected a south edge below the north edge, got ",
                     region.south, "° and ", region.north, "°"));
  }
  const double step = DegreesPerPixel(level);
  const double east = region.east + (region.west < region.east ? 0 : 360);
  Area area{.level = level, .grid = GridKind::kLatLong};
  area.x0 = PixelFrom(region.west + 180, step);
  area.y0 = PixelFrom(90 - region.north, step);
  area.width = PixelFrom(east + 180, step) - area.x0;
  area.height = PixelFrom(90 - region.south, step) - area.y0;
  area.x0 %= WholeOf(area).columns;
  if (area.width > 0 && area.height > 0) return area;
  return absl::InvalidArgumentError(
      absl::StrCat("no pixel has its middle in the region, and pixels are ", step,
                   "° wide: choose a larger region or a finer level"));
}

Area AreaOfCubeFace(int level, int face) {
  const std::int64_t cells = CellsOf(level);
  return {
      .level = level, .width = cells, .height = cells, .grid = GridKind::kCubeMap, .face = face};
}

absl::Status CheckPlanetArea(const Area& area) {
  THALWEG_RETURN_IF_ERROR(CheckSides(area));
  const Size whole = WholeOf(area);
  const bool around = area.grid == GridKind::kLatLong;
  const bool is_inside = area.face >= 0 && area.face < sphere::kFaces && area.x0 >= 0 &&
                         area.y0 >= 0 && area.y0 <= whole.rows - area.height &&
                         area.width <= whole.columns &&
                         area.x0 <= whole.columns - (around ? 1 : area.width);
  if (is_inside) return absl::OkStatus();
  return absl::OutOfRangeError(absl::StrCat(
      "invalid region: expected columns from 0 to ", whole.columns - 1, " and rows from 0 to ",
      whole.rows - 1, " of level ", area.level, " of a planet, got ", area.width, " x ",
      area.height, " from ", area.x0, ", ", area.y0));
}

std::vector<sphere::Vector> PointsOf(const Area& area) {
  std::vector<sphere::Vector> points;
  points.reserve(static_cast<std::size_t>(area.width * area.height));
  const double step = DegreesPerPixel(area.level);
  const auto cells = static_cast<double>(CellsOf(area.level));
  const auto middle = [](std::int64_t pixel) { return static_cast<double>(pixel) + 0.5; };
  for (std::int64_t y = area.y0; y < area.y0 + area.height; ++y) {
    for (std::int64_t x = area.x0; x < area.x0 + area.width; ++x) {
      if (area.grid == GridKind::kLatLong) {
        points.push_back(
            sphere::PointOf(sphere::LatLong{90 - middle(y) * step, middle(x) * step - 180}));
      } else {
        points.push_back(OnCube(area.face, 2 * middle(x) / cells - 1, 2 * middle(y) / cells - 1));
      }
    }
  }
  return points;
}

}  // namespace thalweg::bake
