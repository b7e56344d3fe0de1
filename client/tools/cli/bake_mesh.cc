#include <cmath>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>

#include "client/tools/cli/bake_format.h"
#include "client/tools/cli/bake_levels.h"
#include "client/tools/cli/files.h"
#include "client/tools/mesh/terrain_mesh.h"
#include "client/tools/picture/relief.h"
#include "client/tools/raster/raster_source.h"
#include "proto/picture/image.h"
#include "proto/wire/invalid.h"
#include "proto/wire/status_macros.h"

namespace thalweg::cli {
namespace {

// Larger meshes need tiles and levels of detail, not one file.
constexpr std::int64_t kMaxMeshSide = 2049;

double ErrorM(const Baking& baking) {
  constexpr double kCells = 0.25;
  return baking.arguments.mesh_error_m.value_or(kCells * baking.world.CellSizeM(baking.area.level));
}

// Returns the file's metadata: its world and region.
nlohmann::ordered_json ExtrasOf(const Baking& baking, const mesh::Heightfield& field,
                                const mesh::TerrainMesh& mesh) {
  raster_file::RasterDescription raster = Describe(baking, Layer::kHeight);
  std::erase_if(raster.metadata, [](const auto& item) { return item.first == "layer"; });
  const double half_width_m = static_cast<double>(raster.width - 1) / 2 * raster.cell_size_m;
  const double half_height_m = static_cast<double>(raster.height - 1) / 2 * raster.cell_size_m;
  nlohmann::ordered_json extras = {{"origin_east_m", raster.east_m + half_width_m},
                                   {"origin_south_m", raster.south_m + half_height_m},
                                   {"origin_up_m", field.origin_up_m},
                                   {"error_m", mesh.error_m},
                                   {"max_error_m", ErrorM(baking)},
                                   {"width", raster.width},
                                   {"height", raster.height}};
  if (raster.place) {
    extras["crs"] = raster.place->crs;
    extras["crs_east"] = raster.place->east + half_width_m;
    extras["crs_north"] = raster.place->north - half_height_m;
  }
  AddMetadata(raster, extras);
  return extras;
}

// Draws what lies on the ground, from the layers of MeshLayers.
absl::StatusOr<std::string> PictureOf(const Baking& baking, const BakedGrids& grids) {
  const survey::Grid<std::int32_t>& height = grids[0];
  const picture::HeightGrid grid{height.values, height.width, height.height,
                                 baking.world.CellSizeM(baking.area.level)};
  const std::span<const std::int32_t> depth =
      grids.size() > 3 ? std::span(grids[3].values) : std::span<const std::int32_t>();
  std::string png;
  THALWEG_RETURN_IF_ERROR(
      picture::WritePng(picture::RenderSatellite(grid, grids[2].values, depth), {},
                        [&png](std::span<const std::uint8_t> bytes) {
                          png.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
                          return absl::OkStatus();
                        }));
  return png;
}

// The layers of the mesh, and those of its picture.
std::vector<Layer> LayersWith(Texture texture, const WorldInfo& world) {
  std::vector<Layer> layers = {Layer::kHeight, Layer::kNormal};
  if (texture == Texture::kNone) return layers;
  layers.push_back(Layer::kCover);
  if (world.Has(Layer::kWaterDepth)) layers.push_back(Layer::kWaterDepth);
  return layers;
}

}  // namespace

LayerLists MeshLayers(const BakeArguments& arguments, const WorldInfo& world) {
  if (arguments.texture) return {LayersWith(*arguments.texture, world)};
  const Texture texture = world.Has(Layer::kCover) ? Texture::kSatellite : Texture::kNone;
  return {LayersWith(texture, world), LayersWith(Texture::kNone, world)};
}

absl::Status CheckMesh(const Baking& baking) {
  for (const std::int64_t side : {baking.area.width, baking.area.height}) {
    if (side >= 2 && side <= kMaxMeshSide) continue;
    return wire::Invalid("size", absl::StrCat("2 to ", kMaxMeshSide, " vertices on a side for glb"),
                         absl::StrCat(baking.area.width, " x ", baking.area.height,
                                      ": bake a coarser level, or several regions"));
  }
  if (const auto place = Describe(baking, Layer::kHeight).place) {
    THALWEG_RETURN_IF_ERROR(raster_file::CheckPlace(*place));
  }
  return OutputFile::Create(baking.arguments.out).status();
}

absl::StatusOr<std::vector<std::string>> WriteMesh(const Baking& baking,
                                                   const std::vector<BakedLevel>& levels) {
  const std::vector<Layer>& layers = baking.arguments.layers;
  THALWEG_ASSIGN_OR_RETURN(BakedGrids grids, ReadGrids(levels.front(), layers));
  const bool has_picture = layers.size() > 2;
  THALWEG_ASSIGN_OR_RETURN(const std::string png,
                           has_picture ? PictureOf(baking, grids) : std::string());
  mesh::Heightfield field{.cell_m = baking.world.CellSizeM(baking.area.level),
                          .height_q16 = std::move(grids[0]),
                          .normal = std::move(grids[1])};
  const survey::Grid<std::int32_t>& height = field.height_q16;
  field.origin_up_m = height.At(height.width / 2, height.height / 2) >> 16;
  const mesh::TerrainMesh mesh = mesh::MakeMesh(field, ErrorM(baking));
  THALWEG_RETURN_IF_ERROR(
      WriteText(baking.arguments.out,
                mesh::EncodeGlb(mesh, png, baking.world.name, ExtrasOf(baking, field, mesh))));
  return std::vector{baking.arguments.out};
}

}  // namespace thalweg::cli
