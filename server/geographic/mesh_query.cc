#include "server/geographic/mesh_query.h"

#include <algorithm>
#include <span>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/wire/status_macros.h"
#include "server/geographic/mesh_grid.h"
#include "server/geographic/mesh_tile.h"
#include "server/geographic/tiling.h"

namespace thalweg::geographic {
namespace {

// The version of the code that makes a mesh's bytes. Raise it with every change of meshes.
constexpr int kMeshVersion = 1;

constexpr Tiling kMeshTiling = Tiling::kGeographic;

tile::LayerChoice LayersOf(const world::World& world) {
  tile::LayerChoice layers = tile::LayerChoice::None();
  if (!HasWater(world)) {
    layers.Add(v1::LAYER_HEIGHT);
    return layers;
  }
  layers.Add(v1::LAYER_WATER_LEVEL);
  layers.Add(v1::LAYER_WATER_DEPTH);
  return layers;
}

absl::StatusOr<std::string> MeshOf(const MeshQuery& query,
                                   std::span<const tile::TileContents> tiles) {
  const world::World& world = *query.tile_query.world;
  const FaceSamples faces(query.tile_query, MeshGrid(query.tile).Directions());
  const bool has_water = HasWater(world);
  THALWEG_ASSIGN_OR_RETURN(SampledLayers layers, faces.Take(tiles, [](v1::Layer layer) {
    // Nearest: half a cell at a shore must not become wet.
    return layer == v1::LAYER_WATER_DEPTH ? sampling::Rule::kNearest : sampling::Rule::kBilinear;
  }));
  MeshSamples samples;
  samples.heights = std::move(layers[has_water ? v1::LAYER_WATER_LEVEL : v1::LAYER_HEIGHT]);
  if (has_water) samples.depths = std::move(layers[v1::LAYER_WATER_DEPTH]);
  return Encode(MakeMesh(query.tile, EllipsoidOf(world.spec().sphere().radius_m()), samples,
                         query.extensions, MaxMeshZoom(world)));
}

}  // namespace

int MaxMeshZoom(const world::World& world) {
  return MaxZoom(kMeshTiling, kMeshCells, world.levels());
}

absl::StatusOr<MeshQuery> ParseMeshQuery(const std::shared_ptr<const world::World>& world,
                                         const GlobeTile& tile, const MeshExtensions& extensions) {
  THALWEG_RETURN_IF_ERROR(CheckPlanet(*world));
  THALWEG_RETURN_IF_ERROR(CheckTile(kMeshTiling, tile, MaxMeshZoom(*world)));
  return MeshQuery{.tile_query = {.world = world,
                                  .key = {.level = LevelOf(kMeshTiling, kMeshCells, tile.zoom)},
                                  .layers = LayersOf(*world),
                                  .precision = v1::PRECISION_EXACT},
                   .tile = tile,
                   .extensions = extensions};
}

std::string IdentityOf(const MeshQuery& query) {
  const GlobeTile& tile = query.tile;
  const MeshExtensions& extensions = query.extensions;
  return absl::StrCat("mesh ", kMeshVersion, " ", query.tile_query.world->hex_id(), " ", tile.zoom,
                      " ", tile.x, " ", tile.y, " ", extensions.normals ? "n" : "",
                      extensions.water_mask ? "w" : "", extensions.metadata ? "m" : "");
}

raster::Recipe RecipeOf(const MeshQuery& query) {
  return {
      .identity = IdentityOf(query),
      .tiles =
          [query] {
            return FaceSamples(query.tile_query, MeshGrid(query.tile).Directions()).Tiles();
          },
      .make = [query](std::span<const tile::TileContents> tiles) { return MeshOf(query, tiles); }};
}

}  // namespace thalweg::geographic
