#include "client/tools/cli/bake_files.h"

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "client/tools/bake/part_region.h"
#include "client/tools/cli/bake_format.h"
#include "client/tools/cli/bake_planet.h"
#include "client/tools/cli/files.h"
#include "proto/base/message_text.h"
#include "proto/wire/status_macros.h"

namespace thalweg::cli {
namespace {

namespace fs = std::filesystem;
using raster_file::RasterDescription;
using raster_file::RasterSink;

std::string PathOf(const Baking& baking, Layer layer) {
  const bool is_only = baking.arguments.layers.size() == 1;
  return PathWith(baking, is_only ? "" : std::string(LayerName(layer)));
}

// Returns the place of the area's north-west vertex or pixel on the Earth or on the planet.
std::optional<raster_file::Georeference> PlaceOf(const Baking& baking,
                                                 const RasterDescription& raster) {
  const BakeArguments& arguments = baking.arguments;
  if (baking.world.radius_m > 0) return PlaceOnPlanet(baking.world, baking.area);
  const BakeTile tile = baking.tile.value_or(BakeTile{});
  if (!arguments.crs.empty()) {
    return raster_file::Georeference{
        arguments.crs,
        arguments.origin_east + static_cast<double>(tile.column) * raster.cell_size_m,
        arguments.origin_north - static_cast<double>(tile.row) * raster.cell_size_m};
  }
  if (!baking.world.georeference) return std::nullopt;
  const Georeference& place = *baking.world.georeference;
  return raster_file::Georeference{place.crs, place.east + raster.east_m,
                                   place.north - raster.south_m};
}

}  // namespace

absl::StatusOr<std::unique_ptr<RasterSink>> OpenSink(const RasterDescription& raster,
                                                     const BakeFormat& format) {
  return format.IsRaw() ? raster_file::OpenRaw(raster, *format.sample)
                        : raster_file::OpenGdal(raster, format.driver, *format.sample);
}

absl::Status WritePart(const Baking& baking, const Region& part,
                       const std::vector<std::int32_t>& values, int band, RasterSink& sink) {
  return sink.Write(part.x0 - baking.area.x0, part.y0 - baking.area.y0, part.width, part.height,
                    values, band);
}

std::string PathWith(const Baking& baking, const std::string& name) {
  const fs::path out(baking.arguments.out);
  const std::string renamed =
      absl::StrCat(out.stem().string(), name.empty() ? "" : "-", name,
                   baking.tile ? baking.tile->suffix : "", out.extension().string());
  return (out.parent_path() / renamed).string();
}

absl::StatusOr<Region> ReadPart(const Baking& baking, const bake::PartStore& store,
                                const bake::Part& part) {
  THALWEG_ASSIGN_OR_RETURN(Region region, bake::ReadRegion(store, part));
  const bake::Area inside = bake::Clipped(baking.area, part);
  if (inside.width == region.width && inside.height == region.height) return region;
  Region cut = region;
  cut.x0 = inside.x0;
  cut.y0 = inside.y0;
  cut.width = static_cast<int>(inside.width);
  cut.height = static_cast<int>(inside.height);
  for (std::size_t plane = 0; plane < cut.planes.size(); ++plane) {
    std::vector<std::int32_t>& values = cut.planes[plane].values;
    values.clear();
    for (std::int64_t y = inside.y0; y < inside.y0 + inside.height; ++y) {
      const auto from = region.planes[plane].values.begin() + (y - region.y0) * region.width +
                        inside.x0 - region.x0;
      values.insert(values.end(), from, from + inside.width);
    }
  }
  return cut;
}

RasterDescription Describe(const Baking& baking, Layer layer) {
  const double cell_m = baking.world.CellSizeM(baking.area.level);
  const LayerDescription& description = DescriptionOf(layer);
  RasterDescription raster{.path = PathOf(baking, layer),
                           .width = baking.area.width,
                           .height = baking.area.height,
                           .cell_size_m = cell_m,
                           .layer = std::string(description.name),
                           .unit = std::string(description.unit),
                           .scale = description.scale,
                           .east_m = static_cast<double>(baking.area.x0) * cell_m,
                           .south_m = static_cast<double>(baking.area.y0) * cell_m,
                           .compression = baking.arguments.compression};
  // Unity reads a file's first row as the southernmost.
  raster.from_south = baking.arguments.engine == Engine::kUnity && baking.arguments.format->IsRaw();
  raster.place = PlaceOf(baking, raster);
  raster.metadata = {{"world", baking.world.name},
                     {"world_id", baking.world.id},
                     {"generator_version", absl::StrCat(baking.world.generator_version)},
                     {"level", absl::StrCat(baking.area.level)},
                     {"x0", absl::StrCat(baking.area.x0)},
                     {"y0", absl::StrCat(baking.area.y0)},
                     {"cell_size_m", text::Decimal(cell_m)},
                     {"layer", raster.layer},
                     {"specification", baking.world.specification},
                     {"software", "thalweg " THALWEG_VERSION}};
  if (baking.world.radius_m > 0) {
    const auto of_grid = GridMetadataOf(baking.area);
    raster.metadata.insert(raster.metadata.end(), of_grid.begin(), of_grid.end());
  }
  return raster;
}

void AddMetadata(const RasterDescription& raster, nlohmann::ordered_json& object) {
  for (const auto& [name, value] : raster.metadata) object[name] = value;
}

absl::Status WriteText(const std::string& path, const std::string& text) {
  THALWEG_ASSIGN_OR_RETURN(OutputFile file, OutputFile::Create(path));
  return file.WriteAll(text);
}

}  // namespace thalweg::cli
