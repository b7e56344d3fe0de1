#include "client/cli/bake_raster.h"

#include <cstdint>
#include <filesystem>
#include <utility>

#include "absl/strings/str_cat.h"
#include "client/cli/json.h"
#include "client/cli/output_file.h"
#include "proto/wire/status_macros.h"

namespace thalweg::cli {
namespace {

namespace fs = std::filesystem;
using raster_file::RasterDescription;
using raster_file::RasterSink;
using raster_file::Sample;

std::string PathOf(const BakeArguments& arguments, Layer layer) {
  if (arguments.layers.size() == 1) return arguments.out;
  return PathWith(arguments.out, std::string(LayerName(layer)));
}

}  // namespace

bool IsOfCover(BakeFormat format) {
  return format == BakeFormat::kSplat || format == BakeFormat::kWeights;
}

Sample SampleOf(BakeFormat format) {
  if (format == BakeFormat::kRaw32) return Sample::kInt32;
  if (IsOfCover(format)) return Sample::kUint8;
  return format == BakeFormat::kGeotiff || format == BakeFormat::kCog ? Sample::kFloat32
                                                                      : Sample::kUint16;
}

absl::StatusOr<std::unique_ptr<RasterSink>> OpenSink(const RasterDescription& raster,
                                                     BakeFormat format) {
  switch (format) {
    case BakeFormat::kGeotiff:
      return raster_file::OpenGdal(raster, "GTiff", SampleOf(format));
    case BakeFormat::kCog:
      return raster_file::OpenGdal(raster, "COG", SampleOf(format));
    case BakeFormat::kPng16:
    case BakeFormat::kSplat:
    case BakeFormat::kWeights:
      return raster_file::OpenGdal(raster, "PNG", SampleOf(format));
    case BakeFormat::kRaw16:
    case BakeFormat::kRaw32:
      return raster_file::OpenRaw(raster, SampleOf(format));
    case BakeFormat::kGeoPackage:
    case BakeFormat::kMbtiles:
    case BakeFormat::kGlb:
      break;
  }
  return absl::InternalError("no format of rasters");
}

absl::Status WritePart(const Baking& baking, const Region& part,
                       const std::vector<std::int32_t>& values, int band, RasterSink& sink) {
  return sink.Write(part.x0 - baking.area.x0, part.y0 - baking.area.y0, part.width, part.height,
                    values, band);
}

std::string PathWith(const std::string& file, const std::string& name) {
  const fs::path out(file);
  const std::string renamed =
      absl::StrCat(out.stem().string(), "-", name, out.extension().string());
  return (out.parent_path() / renamed).string();
}

RasterDescription Describe(const Baking& baking, Layer layer) {
  const BakeArguments& arguments = baking.arguments;
  const double cell_m = baking.world.CellSizeM(baking.area.level);
  const LayerDescription& description = DescriptionOf(layer);
  RasterDescription raster{.path = PathOf(arguments, layer),
                           .width = baking.area.width,
                           .height = baking.area.height,
                           .cell_size_m = cell_m,
                           .layer = std::string(description.name),
                           .unit = std::string(description.unit),
                           .scale = description.scale,
                           .east_m = static_cast<double>(baking.area.x0) * cell_m,
                           .south_m = static_cast<double>(baking.area.y0) * cell_m};
  if (!arguments.crs.empty()) {
    raster.place = {arguments.crs, arguments.origin_east, arguments.origin_north};
  } else if (baking.world.georeference) {
    const Georeference& place = *baking.world.georeference;
    raster.place = {place.crs, place.east + raster.east_m, place.north - raster.south_m};
  }
  raster.metadata = {{"world", baking.world.name},
                     {"world_id", baking.world.id},
                     {"generator_version", absl::StrCat(baking.world.generator_version)},
                     {"level", absl::StrCat(baking.area.level)},
                     {"x0", absl::StrCat(baking.area.x0)},
                     {"y0", absl::StrCat(baking.area.y0)},
                     {"cell_size_m", JsonNumber(cell_m)},
                     {"layer", raster.layer},
                     {"software", "thalweg " THALWEG_VERSION}};
  return raster;
}

std::string MembersOf(const RasterDescription& raster) {
  std::string text;
  for (const auto& [name, value] : raster.metadata) {
    absl::StrAppend(&text, ",", JsonString(name), ":", JsonString(value));
  }
  return text;
}

absl::Status WriteText(const std::string& path, const std::string& text) {
  THALWEG_ASSIGN_OR_RETURN(OutputFile file, OutputFile::Create(path));
  THALWEG_RETURN_IF_ERROR(
      file.Write({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}));
  return file.Commit();
}

}  // namespace thalweg::cli
