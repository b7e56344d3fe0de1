// Planets of the C interface, without a view.
#include "thalweg/planet.h"

#include <algorithm>
#include <span>
#include <vector>

#include "client/src/c/interface.h"

void thalweg_planet_point(double latitude_deg, double longitude_deg, double from_middle_m,
                          thalweg_space_vector* point_m) {
  *point_m = SpaceToC(thalweg::SpacePointOf({latitude_deg, longitude_deg}, from_middle_m));
}

void thalweg_planet_place(const thalweg_space_vector* point_m, double* latitude_deg,
                          double* longitude_deg) {
  const thalweg::LatLong place = thalweg::LatLongOf(thalweg::SpaceFromC(*point_m));
  *latitude_deg = place.latitude;
  *longitude_deg = place.longitude;
}

void thalweg_planet_compass(const thalweg_space_vector* point_m, thalweg_space_vector* up,
                            thalweg_space_vector* north, thalweg_space_vector* east) {
  const thalweg::Compass compass = thalweg::CompassAt(thalweg::SpaceFromC(*point_m));
  *up = SpaceToC(compass.up);
  *north = SpaceToC(compass.north);
  *east = SpaceToC(compass.east);
}

thalweg_status thalweg_planet_tile_vertices(const thalweg_tile_key* key, double radius_m,
                                            const int32_t* heights, thalweg_space_vector* origin_m,
                                            float* positions_m, float* ups, float* normals) {
  if (key == nullptr || heights == nullptr || origin_m == nullptr) return thalweg::Refuse(__func__);
  const thalweg::TileVertices vertices =
      thalweg::TileVerticesOf({.level = key->level, .x = key->x, .y = key->y, .face = key->face},
                              radius_m, std::span(heights, THALWEG_TILE_VALUES));
  if (vertices.positions_m.empty()) {
    return thalweg::Return(
        absl::OutOfRangeError("invalid key: a planet has no such tile; its faces are 0 to 5"));
  }
  *origin_m = SpaceToC(vertices.origin_m);
  const auto give = [](const std::vector<float>& from, float* to) {
    if (to != nullptr) std::copy(from.begin(), from.end(), to);
  };
  give(vertices.positions_m, positions_m);
  give(vertices.ups, ups);
  give(vertices.normals, normals);
  return thalweg::Return(absl::OkStatus());
}
