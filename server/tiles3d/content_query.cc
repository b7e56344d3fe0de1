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

// The version of the code that turns values into these bytes. Raise it with every change of them.
constexpr int kContentVersion = 1;

// The picture for the mesh, with a pixel for each vertex of the tile.
raster::RasterQuery PictureOf(const ContentQuery& query) {
  return {.tile_query = query.tile_query,
          .format = raster::Format::kSatellite,
          .layer = v1::LAYER_COVER,
          .size = wire::kTileVertices};
}

std::string ExtrasOf(const ContentQuery& query, const ContentMesh& mesh) {
  return absl::StrFormat("{\"world\":\"%s\",\"step_m\":%.17g,\"deviation_m\":%.17g}",
                         query.tile_query.world->hex_id(), mesh.step_m, mesh.deviation_m);
}

absl::StatusOr<std::string> ContentOf(const ContentQuery& query,
                                      std::span<const tile::TileContents> tiles) {
  const world::World& world = *query.tile_query.world;
  const raster::RasterQuery picture = PictureOf(query);
  THALWEG_ASSIGN_OR_RETURN(const raster::Grid grid,
                           raster::MakeGrid({query.tile_query}, tiles, picture.size));
  THALWEG_ASSIGN_OR_RETURN(const auto heights, raster::ValuesOf(grid, SurfaceOf(world)));
  THALWEG_ASSIGN_OR_RETURN(const auto normals, NormalsOf(picture, grid));
  THALWEG_ASSIGN_OR_RETURN(const std::string png, raster::Render(picture, grid));
  const wire::TileKey& key = query.tile_query.key;
  const ContentMesh mesh =
      MakeContentMesh(key, geographic::EllipsoidOf(world.spec().sphere().radius_m()),
                      {.heights = heights, .normals = normals}, SkirtM(world, key.level));
  return EncodeContent(mesh, png, ExtrasOf(query, mesh));
}

}  // namespace

absl::StatusOr<ContentQuery> ParseContentQuery(const std::shared_ptr<const world::World>& world,
                                               const Cell& cell) {
  THALWEG_RETURN_IF_ERROR(geographic::CheckPlanet(*world));
  THALWEG_RETURN_IF_ERROR(CheckCell(cell, *world));
  ContentQuery query{
      .tile_query = {
          .world = world, .key = TileOf(cell), .layers = {}, .precision = v1::PRECISION_EXACT}};
  query.tile_query.layers = raster::LayersOf(PictureOf(query));
  query.tile_query.layers.Add(SurfaceOf(*world));
  return query;
}

std::string IdentityOf(const ContentQuery& query) {
  const wire::TileKey& key = query.tile_query.key;
  return absl::StrCat("3d content ", kContentVersion, " ", query.tile_query.world->hex_id(), " ",
                      key.face, " ", key.level, " ", key.x, " ", key.y);
}

raster::Recipe RecipeOf(const ContentQuery& query) {
  return {
      .identity = IdentityOf(query),
      .tiles = [query] { return std::vector<tile::TileQuery>{query.tile_query}; },
      .make =
          [query](std::span<const tile::TileContents> tiles) { return ContentOf(query, tiles); }};
}

}  // namespace thalweg::tiles3d
