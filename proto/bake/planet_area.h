// Bakes of planets: of a face as it is, by latitude and longitude, and as a cube map.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "proto/bake/bake_plan.h"
#include "proto/sphere/cube_sphere.h"

namespace thalweg::bake {

// In degrees. Where the west is not under the east, the region crosses the date line.
struct LatLongBox {
  double west = -180;
  double south = -90;
  double east = 180;
  double north = 90;
};

// Between columns, and between rows, of Grid::kLatLong: as many degrees as a mean cell of the level
// has. Exact: 90 by a power of two.
double DegreesPerPixel(int level);

// The pixels of Grid::kLatLong whose middles lie in a region. INVALID_ARGUMENT if there are none;
// OUT_OF_RANGE for what is no latitude or longitude.
absl::StatusOr<Area> AreaOfRegion(int level, const LatLongBox& region);

// A whole face of a cube map, by its number.
Area AreaOfCubeFace(int level, int face);

// "px", "nx", "py", "ny", "pz" and "nz". Right-handed: y to the north pole, x to latitude and
// longitude 0, z to longitude -90°. Rows and columns are those of OpenGL 4.6, table 8.19 (and of
// Vulkan), so that a cube map gives at a direction what lies there. Each face is as it is seen from
// outside, those of x and z with the north above.
inline constexpr std::array<std::string_view, sphere::kFaces> kCubeFaceNames = {"px", "nx", "py",
                                                                                "ny", "pz", "nz"};

// INVALID_ARGUMENT unless each side is 1 to kMaxSide; OUT_OF_RANGE if it is not on the planet.
absl::Status CheckPlanetArea(const Area& area);

// Where the pixels of an area of Grid::kLatLong or Grid::kCubeMap are, row by row. Of length 1 or
// more.
std::vector<sphere::Point> PointsOf(const Area& area);

}  // namespace thalweg::bake
