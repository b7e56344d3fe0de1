// The planets' part of the C interface.
#include "thalweg/planet.h"

#include <algorithm>
#include <span>
#include <vector>

#include "client/src/c/handles.h"

namespace {

using thalweg::Refuse;
using thalweg::Return;

thalweg::SpaceVector SpaceFromC(const thalweg_space_vector& v) { return {v.x, v.y, v.z}; }
thalweg_space_vector SpaceToC(const thalweg::SpaceVector& v) { return {v.x, v.y, v.z}; }

}  // namespace

thalweg_status thalweg_client_sample_planet_heights(thalweg_client* client, const char* world,
                                                    int32_t level, const double* lat_long_deg,
                                                    size_t count, int32_t* heights) {
  if (client == nullptr || world == nullptr || (count > 0 && (!lat_long_deg || !heights))) {
    return Refuse(__func__);
  }
  std::vector<thalweg::LatLong> points(count);
  for (size_t n = 0; n < count; ++n) {
    points[n] = {.latitude = lat_long_deg[2 * n], .longitude = lat_long_deg[2 * n + 1]};
  }
  const auto sampled = client->client->SamplePlanetHeights(world, level, points);
  if (sampled.ok()) std::copy(sampled->begin(), sampled->end(), heights);
  return Return(sampled.status());
}

double thalweg_view_radius(thalweg_view* view) { return view->view->world().radius_m; }

thalweg_status thalweg_view_set_space_camera(thalweg_view* view, const thalweg_camera* camera,
                                             const thalweg_space_pose* pose) {
  if (view == nullptr || camera == nullptr || pose == nullptr) return Refuse(__func__);
  thalweg::Camera in_space = thalweg::FromC(*camera);
  in_space.in_space = {.position_m = SpaceFromC(pose->position_m),
                       .velocity_m_s = SpaceFromC(pose->velocity_m_s),
                       .direction = SpaceFromC(pose->direction)};
  return Return(view->view->SetCamera(in_space));
}

thalweg_status thalweg_view_planet_height_at(thalweg_view* view, double latitude_deg,
                                             double longitude_deg, double* height_m) {
  if (view == nullptr || height_m == nullptr) return Refuse(__func__);
  const auto height = view->view->HeightAt({.latitude = latitude_deg, .longitude = longitude_deg});
  if (!height)
    return Return(absl::NotFoundError("invalid place: expected a loaded tile there, got none"));
  *height_m = *height;
  return Return(absl::OkStatus());
}

thalweg_status thalweg_view_cast_space_ray(thalweg_view* view, const thalweg_space_vector* origin_m,
                                           const thalweg_space_vector* direction,
                                           double max_distance_m, thalweg_space_vector* hit_m) {
  if (view == nullptr || origin_m == nullptr || direction == nullptr || hit_m == nullptr) {
    return Refuse(__func__);
  }
  const auto hit =
      view->view->CastRayInSpace(SpaceFromC(*origin_m), SpaceFromC(*direction), max_distance_m);
  if (!hit) return Return(absl::NotFoundError("cast a ray: expected ground on its way, got none"));
  *hit_m = SpaceToC(hit->position_m);
  return Return(absl::OkStatus());
}

void thalweg_planet_point(double latitude_deg, double longitude_deg, double from_middle_m,
                          thalweg_space_vector* point_m) {
  *point_m = SpaceToC(thalweg::SpacePointOf({latitude_deg, longitude_deg}, from_middle_m));
}

void thalweg_planet_place(const thalweg_space_vector* point_m, double* latitude_deg,
                          double* longitude_deg) {
  const thalweg::LatLong place = thalweg::LatLongOf(SpaceFromC(*point_m));
  *latitude_deg = place.latitude;
  *longitude_deg = place.longitude;
}

void thalweg_planet_compass(const thalweg_space_vector* point_m, thalweg_space_vector* up,
                            thalweg_space_vector* north, thalweg_space_vector* east) {
  const thalweg::Compass compass = thalweg::CompassAt(SpaceFromC(*point_m));
  *up = SpaceToC(compass.up);
  *north = SpaceToC(compass.north);
  *east = SpaceToC(compass.east);
}

thalweg_status thalweg_planet_tile_vertices(const thalweg_tile_key* key, double radius_m,
                                            const int32_t* heights, thalweg_space_vector* origin_m,
                                            float* positions_m, float* ups, float* normals) {
  if (key == nullptr || heights == nullptr || origin_m == nullptr) return Refuse(__func__);
  const thalweg::TileVertices vertices =
      thalweg::TileVerticesOf({.level = key->level, .x = key->x, .y = key->y, .face = key->face},
                              radius_m, std::span(heights, THALWEG_TILE_VALUES));
  if (vertices.positions_m.empty()) {
    return Return(absl::OutOfRangeError(
        "invalid key: expected a tile of one of a planet's faces, 0 to 5, got another"));
  }
  *origin_m = SpaceToC(vertices.origin_m);
  const auto give = [](const std::vector<float>& from, float* to) {
    if (to != nullptr) std::copy(from.begin(), from.end(), to);
  };
  give(vertices.positions_m, positions_m);
  give(vertices.ups, ups);
  give(vertices.normals, normals);
  return Return(absl::OkStatus());
}
