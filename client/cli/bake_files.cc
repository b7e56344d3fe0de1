#include "client/cli/bake_files.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "client/cli/bake_weights.h"
#include "client/cli/json.h"
#include "client/raster/raster_sink.h"
#include "proto/wire/status_macros.h"

namespace thalweg::cli {
namespace {

namespace fs = std::filesystem;
using bake::Part;
using bake::PartStore;
using raster_file::RasterDescription;
using raster_file::Sample;

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
  return absl::StrCat(text, MembersOf(raster), "}\n");
}

}  // namespace

absl::Status CheckRasters(const Baking& baking) {
  const BakeFormat format = baking.arguments.format;
  if (format == BakeFormat::kRaw16 || format == BakeFormat::kRaw32) return absl::OkStatus();
  return OpenSink(Describe(baking, baking.arguments.layers.front()), format).status();
}

absl::StatusOr<std::vector<std::string>> WriteLayer(const Baking& baking, const PartStore& store,
                                                    const std::vector<Part>& parts,
                                                    std::size_t plane) {
  if (IsOfCover(baking.arguments.format)) return WriteWeights(baking, store, parts);
  const BakeFormat format = baking.arguments.format;
  RasterDescription raster = Describe(baking, baking.arguments.layers[plane]);
  if (SampleOf(format) == Sample::kUint16) {
    THALWEG_RETURN_IF_ERROR(FindRange(baking, store, parts, plane, raster));
  }
  THALWEG_ASSIGN_OR_RETURN(const auto sink, OpenSink(raster, format));
  for (const Part& part : parts) {
    THALWEG_ASSIGN_OR_RETURN(const Region region, store.Read(part));
    THALWEG_RETURN_IF_ERROR(sink->Write(region.x0 - baking.area.x0, region.y0 - baking.area.y0,
                                        region.width, region.height, region.planes[plane].values,
                                        0));
  }
  THALWEG_RETURN_IF_ERROR(sink->Finish());
  if (SampleOf(format) != Sample::kFloat32) {
    THALWEG_RETURN_IF_ERROR(WriteText(raster.path + ".json", SidecarOf(raster, format)));
  }
  return std::vector{raster.path};
}

}  // namespace thalweg::cli
