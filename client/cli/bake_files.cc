#include "client/cli/bake_files.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "client/cli/json.h"
#include "client/cli/output_file.h"
#include "client/raster/raster_sink.h"
#include "proto/wire/status_macros.h"

namespace thalweg::cli {
namespace {

namespace fs = std::filesystem;
using bake::Part;
using bake::PartStore;
using raster_file::RasterDescription;
using raster_file::RasterSink;
using raster_file::Sample;

Sample SampleOf(BakeFormat format) {
  if (format == BakeFormat::kRaw32) return Sample::kInt32;
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
      return raster_file::OpenGdal(raster, "PNG", SampleOf(format));
    case BakeFormat::kRaw16:
    case BakeFormat::kRaw32:
      return raster_file::OpenRaw(raster, SampleOf(format));
  }
  return absl::InternalError("unknown format");
}

// FILE, or FILE-LAYER where there are several.
std::string PathOf(const BakeArguments& arguments, Layer layer) {
  if (arguments.layers.size() == 1) return arguments.out;
  const fs::path out(arguments.out);
  const std::string name = absl::StrCat(out.stem().string(), "-", std::string(LayerName(layer)),
                                        out.extension().string());
  return (out.parent_path() / name).string();
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

// The least and the largest value that was baked, or those that were asked for.
absl::Status FindRange(const Baking& baking, const PartStore& store, const std::vector<Part>& parts,
                       std::size_t plane, RasterDescription& raster) {
  if (const auto& range = baking.arguments.range) {
    const auto integer = [&](double value) {
      return static_cast<std::int32_t>(
          std::clamp(std::round(value / raster.scale), -2147483648.0, 2147483647.0));
    };
    raster.least = integer(range->first);
    raster.most = integer(range->second);
    return absl::OkStatus();
  }
  raster.least = std::numeric_limits<std::int32_t>::max();
  raster.most = std::numeric_limits<std::int32_t>::min();
  for (const Part& part : parts) {
    THALWEG_ASSIGN_OR_RETURN(const Region region, store.Read(part));
    const auto [least, most] = std::ranges::minmax_element(region.planes[plane].values);
    raster.least = std::min(raster.least, *least);
    raster.most = std::max(raster.most, *most);
  }
  return absl::OkStatus();
}

// What import dialogs ask for: values are offset + scale * sample.
std::string SidecarOf(const RasterDescription& raster, BakeFormat format) {
  const bool sixteen = SampleOf(format) == Sample::kUint16;
  const double least = raster.least * raster.scale;
  const double step = (raster.most * raster.scale - least) / 65535;
  std::string text =
      absl::StrCat("{\"file\":", JsonString(fs::path(raster.path).filename().string()),
                   ",\"width\":", raster.width, ",\"height\":", raster.height,
                   ",\"sample\":", sixteen ? "\"uint16" : "\"int32",
                   format == BakeFormat::kPng16 ? "\"" : ", little-endian\"",
                   ",\"unit\":", JsonString(raster.unit),
                   ",\"scale\":", JsonNumber(sixteen ? step : raster.scale),
                   ",\"offset\":", JsonNumber(sixteen ? least : 0));
  if (sixteen) {
    absl::StrAppend(&text, ",\"min\":", JsonNumber(least),
                    ",\"max\":", JsonNumber(raster.most * raster.scale), ",\"size_m\":[",
                    JsonNumber(static_cast<double>(raster.width - 1) * raster.cell_size_m), ",",
                    JsonNumber(static_cast<double>(raster.height - 1) * raster.cell_size_m), "]");
  }
  for (const auto& [name, value] : raster.metadata) {
    absl::StrAppend(&text, ",", JsonString(name), ":", JsonString(value));
  }
  return text + "}\n";
}

absl::Status WriteText(const std::string& path, const std::string& text) {
  THALWEG_ASSIGN_OR_RETURN(OutputFile file, OutputFile::Create(path));
  THALWEG_RETURN_IF_ERROR(
      file.Write({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}));
  return file.Commit();
}

}  // namespace

absl::Status CheckRasters(const Baking& baking) {
  const BakeFormat format = baking.arguments.format;
  if (format == BakeFormat::kRaw16 || format == BakeFormat::kRaw32) return absl::OkStatus();
  return OpenSink(Describe(baking, baking.arguments.layers.front()), format).status();
}

absl::StatusOr<std::string> WriteLayer(const Baking& baking, const PartStore& store,
                                       const std::vector<Part>& parts, std::size_t plane) {
  const BakeFormat format = baking.arguments.format;
  RasterDescription raster = Describe(baking, baking.arguments.layers[plane]);
  if (SampleOf(format) == Sample::kUint16) {
    THALWEG_RETURN_IF_ERROR(FindRange(baking, store, parts, plane, raster));
  }
  THALWEG_ASSIGN_OR_RETURN(const auto sink, OpenSink(raster, format));
  for (const Part& part : parts) {
    THALWEG_ASSIGN_OR_RETURN(const Region region, store.Read(part));
    THALWEG_RETURN_IF_ERROR(sink->Write(region.x0 - baking.area.x0, region.y0 - baking.area.y0,
                                        region.width, region.height, region.planes[plane].values));
  }
  THALWEG_RETURN_IF_ERROR(sink->Finish());
  if (SampleOf(format) != Sample::kFloat32) {
    THALWEG_RETURN_IF_ERROR(WriteText(raster.path + ".json", SidecarOf(raster, format)));
  }
  return raster.path;
}

}  // namespace thalweg::cli
