// Views of the C interface.
#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "client/src/c/interface.h"
#include "thalweg/terrain_view.h"

namespace {

using thalweg::DrawnTile;
using thalweg::Refuse;
using thalweg::Return;
using thalweg::SpaceFromC;
using thalweg::TileKey;

thalweg::Vector3 VectorFromC(const thalweg_vector& v) { return {v.east, v.south, v.up}; }
thalweg_vector ToC(const thalweg::Vector3& v) { return {v.east, v.south, v.up}; }
thalweg_tile_key ToC(const TileKey& key) { return {key.face, key.level, key.x, key.y}; }

thalweg_tile ToC(const DrawnTile& drawn, const thalweg::WorldInfo& world) {
  const thalweg::Plane& heights = drawn.tile->planes.front();
  thalweg_tile tile{.key = ToC(drawn.key),
                    .cell_size_m = world.CellSizeM(drawn.key.level),
                    .heights = heights.values.data(),
                    .min_height = heights.min,
                    .max_height = heights.max,
                    .geometric_error = drawn.tile->geometric_error_q16,
                    .coarser_sides = 0};
  for (std::size_t side = 0; side < drawn.coarser.size(); ++side) {
    if (drawn.coarser[side] != nullptr) tile.coarser_sides |= 1U << side;
  }
  return tile;
}

void Add(thalweg_view& view, const std::vector<DrawnTile>& tiles, thalweg_reason reason) {
  for (const DrawnTile& tile : tiles) view.added.push_back({ToC(tile, view.view->world()), reason});
}

void Remove(thalweg_view& view, const std::vector<TileKey>& keys, thalweg_reason reason) {
  for (const TileKey& key : keys) view.removed.push_back({ToC(key), reason});
}

void Replace(thalweg_view& view, const std::vector<thalweg::Replacement>& replacements,
             thalweg_reason reason) {
  for (const thalweg::Replacement& replacement : replacements) {
    Remove(view, replacement.removed, reason);
    Add(view, replacement.added, reason);
  }
}

thalweg::TerrainViewOptions OptionsOf(const char* world, const thalweg_view_options* options) {
  thalweg_view_options defaults;
  thalweg_view_options_init(&defaults);
  const thalweg_view_options& chosen = options == nullptr ? defaults : *options;
  return {.world = world,
          .memory_bytes = static_cast<std::size_t>(chosen.memory_bytes),
          .cache_folder = chosen.cache_folder == nullptr ? "" : chosen.cache_folder,
          .cache_bytes = chosen.cache_bytes,
          .lookahead_s = chosen.lookahead_s,
          .credit_tiles = chosen.credit_tiles,
          .credit_bytes = chosen.credit_bytes};
}

thalweg::Camera FromC(const thalweg_camera& camera) {
  return {.position_m = VectorFromC(camera.position_m),
          .velocity_m_s = VectorFromC(camera.velocity_m_s),
          .direction = VectorFromC(camera.direction),
          .vertical_fov_deg = camera.vertical_fov_deg,
          .aspect = camera.aspect,
          .viewport_height_px = camera.viewport_height_px,
          .tolerated_error_px = camera.tolerated_error_px,
          .range_m = camera.range_m};
}

// Answers a question about the ground's height.
thalweg_status Give(const std::optional<double>& height, double* height_m) {
  if (!height) return Return(absl::NotFoundError("no tile is loaded at this place"));
  *height_m = *height;
  return Return(absl::OkStatus());
}

}  // namespace

void thalweg_camera_init(thalweg_camera* camera) {
  const thalweg::Camera defaults;
  *camera = {.position_m = ToC(defaults.position_m),
             .velocity_m_s = ToC(defaults.velocity_m_s),
             .direction = ToC(defaults.direction),
             .vertical_fov_deg = defaults.vertical_fov_deg,
             .aspect = defaults.aspect,
             .tolerated_error_px = defaults.tolerated_error_px,
             .range_m = defaults.range_m,
             .viewport_height_px = defaults.viewport_height_px};
}

void thalweg_view_options_init(thalweg_view_options* options) {
  const thalweg::TerrainViewOptions defaults;
  *options = {.memory_bytes = defaults.memory_bytes,
              .cache_folder = nullptr,
              .cache_bytes = defaults.cache_bytes,
              .lookahead_s = defaults.lookahead_s,
              .credit_bytes = defaults.credit_bytes,
              .credit_tiles = defaults.credit_tiles};
}

thalweg_status thalweg_view_open(thalweg_client* client, const char* world,
                                 const thalweg_view_options* options, thalweg_view** view) {
  if (client == nullptr || world == nullptr || view == nullptr) return Refuse(__func__);
  auto opened = thalweg::TerrainView::Open(*client->client, OptionsOf(world, options));
  if (!opened.ok()) return Return(opened.status());
  auto handle = std::make_unique<thalweg_view>();
  handle->view = *std::move(opened);
  *view = handle.release();
  return Return(absl::OkStatus());
}

void thalweg_view_close(thalweg_view* view) { delete view; }

thalweg_status thalweg_view_set_camera(thalweg_view* view, const thalweg_camera* camera) {
  if (view == nullptr || camera == nullptr) return Refuse(__func__);
  return Return(view->view->SetCamera(FromC(*camera)));
}

double thalweg_view_radius(thalweg_view* view) { return view->view->world().radius_m; }

thalweg_status thalweg_view_set_space_camera(thalweg_view* view, const thalweg_camera* camera,
                                             const thalweg_space_pose* pose) {
  if (view == nullptr || camera == nullptr || pose == nullptr) return Refuse(__func__);
  thalweg::Camera in_space = FromC(*camera);
  in_space.in_space = {.position_m = SpaceFromC(pose->position_m),
                       .velocity_m_s = SpaceFromC(pose->velocity_m_s),
                       .direction = SpaceFromC(pose->direction)};
  return Return(view->view->SetCamera(in_space));
}

thalweg_status thalweg_view_update(thalweg_view* view, const thalweg_changes** changes) {
  if (view == nullptr || changes == nullptr) return Refuse(__func__);
  const thalweg::FrameChanges update = view->view->Update();
  // The tiles drawn until now stay valid for one more update.
  if (update.any()) view->held_before = std::exchange(view->held, view->view->drawn());
  view->removed.clear();
  view->added.clear();
  view->restitched.clear();
  view->drawn.clear();
  Remove(*view, update.removed, THALWEG_RANGE);
  Replace(*view, update.coarsened, THALWEG_COARSENED);
  Replace(*view, update.refined, THALWEG_REFINED);
  Add(*view, update.added, THALWEG_RANGE);
  for (const DrawnTile& tile : update.restitched) {
    view->restitched.push_back(ToC(tile, view->view->world()));
  }
  for (const DrawnTile& tile : view->held) view->drawn.push_back(ToC(tile, view->view->world()));
  view->changes = {.removed = view->removed.data(),
                   .removed_count = view->removed.size(),
                   .added = view->added.data(),
                   .added_count = view->added.size(),
                   .restitched = view->restitched.data(),
                   .restitched_count = view->restitched.size(),
                   .drawn = view->drawn.data(),
                   .drawn_count = view->drawn.size(),
                   .complete = update.complete ? 1 : 0,
                   .finest = update.finest ? 1 : 0};
  *changes = &view->changes;
  return Return(absl::OkStatus());
}

int32_t thalweg_view_wait(thalweg_view* view, uint32_t timeout_ms) {
  return view->view->Wait(std::chrono::milliseconds(timeout_ms)) ? 1 : 0;
}

thalweg_status thalweg_view_stitched_heights(thalweg_view* view, const thalweg_tile_key* key,
                                             int32_t* heights) {
  if (view == nullptr || key == nullptr || heights == nullptr) return Refuse(__func__);
  const TileKey wanted{key->level, key->x, key->y, key->face};
  const std::vector<DrawnTile>& drawn = view->view->drawn();
  const auto found = std::lower_bound(
      drawn.begin(), drawn.end(), wanted,
      [](const DrawnTile& tile, const TileKey& other) { return tile.key < other; });
  if (found == drawn.end() || found->key != wanted) {
    return Return(absl::NotFoundError("the tile of this key is not drawn"));
  }
  const std::vector<std::int32_t> stitched = thalweg::StitchedHeights(*found);
  std::copy(stitched.begin(), stitched.end(), heights);
  return Return(absl::OkStatus());
}

thalweg_status thalweg_view_height_at(thalweg_view* view, double east_m, double south_m,
                                      double* height_m) {
  if (view == nullptr || height_m == nullptr) return Refuse(__func__);
  return Give(view->view->HeightAt(east_m, south_m), height_m);
}

thalweg_status thalweg_view_planet_height_at(thalweg_view* view, double latitude_deg,
                                             double longitude_deg, double* height_m) {
  if (view == nullptr || height_m == nullptr) return Refuse(__func__);
  return Give(view->view->HeightAt({.latitude = latitude_deg, .longitude = longitude_deg}),
              height_m);
}

thalweg_status thalweg_view_cast_ray(thalweg_view* view, const thalweg_vector* origin_m,
                                     const thalweg_vector* direction, double max_distance_m,
                                     thalweg_vector* hit_m) {
  if (view == nullptr || origin_m == nullptr || direction == nullptr || hit_m == nullptr) {
    return Refuse(__func__);
  }
  const auto hit =
      view->view->CastRay(VectorFromC(*origin_m), VectorFromC(*direction), max_distance_m);
  if (!hit) return Return(absl::NotFoundError("the ray hits no ground"));
  *hit_m = ToC(hit->position_m);
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
  if (!hit) return Return(absl::NotFoundError("the ray hits no ground"));
  *hit_m = SpaceToC(hit->position_m);
  return Return(absl::OkStatus());
}

void thalweg_view_statistics(thalweg_view* view, thalweg_statistics* statistics) {
  const thalweg::TerrainStatistics now = view->view->Statistics();
  *statistics = {.connected = now.connected ? 1 : 0,
                 .reconnects = now.reconnects,
                 .tiles_received = now.tiles_received,
                 .wire_bytes = now.wire_bytes,
                 .tiles_unchanged = now.tiles_unchanged,
                 .tiles_failed = now.tiles_failed,
                 .disk_reads = now.disk_reads,
                 .disk_writes = now.disk_writes,
                 .disk_corrupt = now.disk_corrupt,
                 .tiles_in_memory = now.tiles_in_memory,
                 .memory_bytes = now.memory_bytes,
                 .tiles_wanted = now.tiles_wanted,
                 .tiles_missing = now.tiles_missing,
                 .tolerance_scale = now.tolerance_scale,
                 .tiles_needed = now.tiles_needed,
                 .tiles_in_time = now.tiles_in_time};
}

thalweg_status thalweg_view_status(thalweg_view* view) { return Return(view->view->status()); }
