// Bakes of planets: of a face's vertices, by latitude and longitude, and as a cube map.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "proto/bake/bake_plan.h"
#include "proto/geometry/cube_sphere.h"

namespace thalweg::bake {

// A region in degrees. It crosses the date line if its west is not less than its east.
struct LatLongBox {
  double west = -180;
  double south = -90;
  double east = 180;
  double north = 90;
};

// Returns the degrees between columns, and between rows, of GridKind::kLatLong: those of a mean
// cell of the level. Exact: 90 divided by a power of two.
double DegreesPerPixel(int level);

// Returns the pixels of GridKind::kLatLong whose middles lie in a region. INVALID_ARGUMENT if there
// are none; OUT_OF_RANGE for values that are not latitudes or longitudes.
absl::StatusOr<Area> AreaOfRegion(int level, const LatLongBox& region);

// Returns a whole face of a cube map, by its number.
Area AreaOfCubeFace(int level, int face);

// The names of a cube map's faces. Right-handed: y to the north pole, x to latitude and longitude
// 0, z to longitude -90°. Rows and columns follow OpenGL 4.6, table 8.19 (and Vulkan), so that a
// lookup by direction gives the value in that direction. A face looks as seen from outside; those
// of x and z have north above.
inline constexpr std::array<std::string_view, sphere::kFaces> kCubeFaceNames = {"px", "nx", "py",
                                                                                "ny", "pz", "nz"};

// INVALID_ARGUMENT unless each side is 1 to kMaxSide; OUT_OF_RANGE if it is not on the planet.
absl::Status CheckPlanetArea(const Area& area);

// Returns the points of the pixels of an area of GridKind::kLatLong or GridKind::kCubeMap, row by
// row. Their length is 1 or more.
std::vector<sphere::Vector> PointsOf(const Area& area);

}  // namespace thalweg::bake
