#include "server/tiles3d/content_query.h"

#include <span>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "proto/wire/status_macros.h"
#include "server/geographic/ellipsoid.h"
#include "server/geographic/tiling.h"
#include "server/raster/grid.h"
#include "server/raster/raster_query.h"
#include "server/raster/render.h"
#include "server/tiles3d/content_glb.h"
#include "server/tiles3d/content_mesh.h"
#include "server/tiles3d/errors.h"
#include "server/tiles3d/ground.h"
#include "server/tiles3d/normals.h"

namespace thalweg::tiles3d {
namespace {

// The version of all that turns values into these bytes. Raised with every change of them.
constexpr int kContentVersion = 1;

// The picture on the mesh: a pixel for each vertex of the tile.
raster::RasterQuery PictureOf(const ContentQuery& query) {
  return {.form = query.form,
          .format = raster::Format::kSatellite,
          .layer = v1::LAYER_COVER,
          .size = wire::kTileVertices};
}

// The query for the tile, with the layers of ground and picture.
tile::TileQuery TileFormOf(const ContentQuery& query) {
  tile::TileQuery form = query.form;
  form.precision = v1::PRECISION_EXACT;
  form.layers = raster::LayersOf(PictureOf(query));
  form.layers.Add(SurfaceOf(*form.world));
  return form;
}

std::string ExtrasOf(const ContentQuery& query, const ContentMesh& mesh) {
  return absl::StrFormat("{\"world\":\"%s\",\"step_m\":%.17g,\"deviation_m\":%.17g}",
                         query.form.world->hex_id(), mesh.step_m, mesh.deviation_m);
}

absl::StatusOr<std::string> ContentOf(const ContentQuery& query,
                                      std::span<const tile::TileContents> tiles) {
  const world::World& world = *query.form.world;
  const raster::RasterQuery picture = PictureOf(query);
  THALWEG_ASSIGN_OR_RETURN(const raster::Grid grid,
                           raster::MakeGrid({TileFormOf(query)}, tiles, picture.size));
  THALWEG_ASSIGN_OR_RETURN(const auto heights, raster::ValuesOf(grid, SurfaceOf(world)));
  THALWEG_ASSIGN_OR_RETURN(const auto normals, NormalsOf(picture, grid));
  THALWEG_ASSIGN_OR_RETURN(const std::string png, raster::Render(picture, grid));
  const wire::TileKey& key = query.form.key;
  const ContentMesh mesh =
      MakeContentMesh(key, geographic::EllipsoidOf(world.spec().sphere().radius_m()),
                      {.heights = heights, .normals = normals}, SkirtM(world, key.level));
  return EncodeContent(mesh, png, ExtrasOf(query, mesh));
}

}  // namespace

absl::StatusOr<ContentQuery> ParseContentQuery(tile::TileQuery form, const Cell& cell) {
  THALWEG_RETURN_IF_ERROR(geographic::CheckPlanet(*form.world));
  THALWEG_RETURN_IF_ERROR(CheckCell(cell, *form.world));
  form.key = TileOf(cell);
  return ContentQuery{.form = std::move(form)};
}

std::string IdentityOf(const ContentQuery& query) {
  const wire::TileKey& key = query.form.key;
  return absl::StrCat("3d content ", kContentVersion, " ", query.form.world->hex_id(), " ",
                      key.face, " ", key.level, " ", key.x, " ", key.y);
}

raster::Recipe RecipeOf(const ContentQuery& query) {
  return {
      .identity = IdentityOf(query),
      .tiles = [query] { return std::vector<tile::TileQuery>{TileFormOf(query)}; },
      .make =
          [query](std::span<const tile::TileContents> tiles) { return ContentOf(query, tiles); }};
}

}  // namespace thalweg::tiles3d
