#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <memory>
#include <span>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "client/bake/part_region.h"
#include "client/cli/bake_format.h"
#include "client/cli/bake_overviews.h"
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
using raster_file::RasterSink;
using raster_file::Sample;

// Sets the requested range, in the layer's integers.
void TakeRange(const std::pair<double, double>& range, RasterDescription& raster) {
  const auto integer = [&](double value) {
    return static_cast<std::int32_t>(
        std::clamp(std::round(value / raster.scale), -2147483648.0, 2147483647.0));
  };
  raster.min = integer(range.first);
  raster.max = integer(range.second);
}

// Finds the smallest and the largest baked value of each layer.
absl::Status FindRanges(const PartStore& store, const std::vector<Part>& parts,
                        std::vector<RasterDescription>& rasters) {
  for (RasterDescription& raster : rasters) {
    raster.min = std::numeric_limits<std::int32_t>::max();
    raster.max = std::numeric_limits<std::int32_t>::min();
  }
  for (const Part& part : parts) {
    THALWEG_ASSIGN_OR_RETURN(const Region region, bake::ReadRegion(store, part));
    for (std::size_t plane = 0; plane < rasters.size(); ++plane) {
      const auto [min, max] = std::ranges::minmax_element(region.planes[plane].values);
      rasters[plane].min = std::min(rasters[plane].min, *min);
      rasters[plane].max = std::max(rasters[plane].max, *max);
    }
  }
  return absl::OkStatus();
}

// Sets the range that 16 bits stand for.
absl::Status SetRanges(const Baking& baking, const PartStore& store, const std::vector<Part>& parts,
                       std::vector<RasterDescription>& rasters) {
  if (baking.tile) {
    for (std::size_t i = 0; i < rasters.size(); ++i) {
      std::tie(rasters[i].min, rasters[i].max) = baking.tile->ranges[i];
    }
    return absl::OkStatus();
  }
  const auto& range = baking.arguments.range;
  if (!range) return FindRanges(store, parts, rasters);
  for (RasterDescription& raster : rasters) TakeRange(*range, raster);
  return absl::OkStatus();
}

// The numbers that an engine's import dialog asks for.
std::string EngineMembersOf(const Baking& baking, const RasterDescription& raster) {
  const double min_m = raster.min * raster.scale;
  const double range_m = raster.max * raster.scale - min_m;
  const std::string cell = JsonNumber(100 * raster.cell_size_m);
  switch (baking.arguments.engine) {
    case Engine::kAny:
      return "";
    case Engine::kUnity:
      return absl::StrCat(
          ",\"unity\":{\"depth\":\"16 bit\",\"byte_order\":\"Windows\",\"flip_vertically\":false,",
          "\"resolution\":", raster.width, ",\"terrain_size_m\":[",
          JsonNumber(static_cast<double>(raster.width - 1) * raster.cell_size_m), ",",
          JsonNumber(range_m), ",",
          JsonNumber(static_cast<double>(raster.height - 1) * raster.cell_size_m),
          "],\"position_y_m\":", JsonNumber(min_m), "}");
    case Engine::kUnreal:
      // A sample v is at (v - 32,768) / 128 * scale centimetres above the location.
      return absl::StrCat(
          ",\"unreal\":{\"scale\":[", cell, ",", cell, ",", JsonNumber(128 * 100 * range_m / 65535),
          "],\"location_z_cm\":", JsonNumber(100 * (min_m + range_m * 32768 / 65535)), "}");
  }
  std::abort();  // every engine is above
}

// The numbers that import dialogs ask for: values are offset + scale * sample.
std::string SidecarOf(const Baking& baking, const RasterDescription& raster) {
  const BakeFormat& format = *baking.arguments.format;
  const bool sixteen = format.sample == Sample::kUint16;
  const double min = raster.min * raster.scale;
  const double step = (raster.max * raster.scale - min) / 65535;
  std::string text = absl::StrCat(
      "{\"file\":", JsonString(fs::path(raster.path).filename().string()),
      ",\"width\":", raster.width, ",\"height\":", raster.height,
      ",\"sample\":", sixteen ? "\"uint16" : "\"int32", format.IsRaw() ? ", little-endian\"" : "\"",
      ",\"unit\":", JsonString(raster.unit),
      ",\"scale\":", JsonNumber(sixteen ? step : raster.scale),
      ",\"offset\":", JsonNumber(sixteen ? min : 0));
  if (sixteen) {
    absl::StrAppend(&text, ",\"min\":", JsonNumber(min),
                    ",\"max\":", JsonNumber(raster.max * raster.scale));
  }
  // On a planet cells differ in size.
  if (sixteen && (!raster.place || raster.place->spacing == 0)) {
    absl::StrAppend(&text, ",\"size_m\":[",
                    JsonNumber(static_cast<double>(raster.width - 1) * raster.cell_size_m), ",",
                    JsonNumber(static_cast<double>(raster.height - 1) * raster.cell_size_m), "]");
  }
  if (sixteen)
    absl::StrAppend(&text, ",\"rows\":", raster.from_south ? "\"from south\"" : "\"from north\"");
  return absl::StrCat(text, sixteen ? EngineMembersOf(baking, raster) : "", MembersOf(raster),
                      "}\n");
}

// Records how a COG's overviews are made.
void TellOverviews(const Baking& baking, std::span<const BakedLevel> overviews,
                   RasterDescription& raster) {
  if (!baking.arguments.format->Has("--overviews")) return;
  if (overviews.empty()) {
    raster.metadata.emplace_back("overviews", "means of 2 x 2 samples");
    return;
  }
  raster.overviews = raster_file::Overviews::kGiven;
  raster.given_overviews = static_cast<int>(overviews.size());
  raster.metadata.emplace_back("overviews",
                               absl::StrCat("the levels ", overviews.front().area.level, " to ",
                                            overviews.back().area.level));
}

// Writes the files of an area. The parts must be in the order of rows.
absl::StatusOr<std::vector<std::string>> WriteArea(const Baking& baking, const PartStore& store,
                                                   const std::vector<Part>& parts,
                                                   std::span<const BakedLevel> overviews = {}) {
  const BakeFormat& format = *baking.arguments.format;
  if (format.IsOfCover()) return WriteWeights(baking, store, parts);
  std::vector<RasterDescription> rasters;
  for (const Layer layer : baking.arguments.layers) {
    rasters.push_back(Describe(baking, layer));
    TellOverviews(baking, overviews, rasters.back());
  }
  if (format.sample == Sample::kUint16) {
    THALWEG_RETURN_IF_ERROR(SetRanges(baking, store, parts, rasters));
  }
  std::vector<std::unique_ptr<RasterSink>> sinks;
  for (const RasterDescription& raster : rasters) {
    THALWEG_ASSIGN_OR_RETURN(sinks.emplace_back(), OpenSink(raster, format));
  }
  for (const Part& part : parts) {
    THALWEG_ASSIGN_OR_RETURN(const Region region, ReadPart(baking, store, part));
    for (std::size_t plane = 0; plane < sinks.size(); ++plane) {
      THALWEG_RETURN_IF_ERROR(
          WritePart(baking, region, region.planes[plane].values, 0, *sinks[plane]));
    }
  }
  THALWEG_RETURN_IF_ERROR(WriteOverviews(baking, overviews, sinks));
  std::vector<std::string> paths;
  for (std::size_t plane = 0; plane < sinks.size(); ++plane) {
    const RasterDescription& raster = rasters[plane];
    THALWEG_RETURN_IF_ERROR(sinks[plane]->Finish());
    if (format.sample != Sample::kFloat32) {
      THALWEG_RETURN_IF_ERROR(WriteText(raster.path + ".json", SidecarOf(baking, raster)));
    }
    paths.push_back(raster.path);
  }
  return paths;
}

absl::StatusOr<std::vector<std::string>> WriteSquares(const Baking& baking, const PartStore& store,
                                                      const std::vector<Part>& parts) {
  const BakeArguments& arguments = baking.arguments;
  std::vector<RasterDescription> rasters;
  for (const Layer layer : arguments.layers) rasters.push_back(Describe(baking, layer));
  if (arguments.format->sample == Sample::kUint16) {
    THALWEG_RETURN_IF_ERROR(SetRanges(baking, store, parts, rasters));
  }
  std::vector<std::string> paths;
  const std::int64_t side = arguments.tile_side;
  for (std::int64_t row = 0; row + side <= baking.area.height; row += side - 1) {
    for (std::int64_t column = 0; column + side <= baking.area.width; column += side - 1) {
      Baking square{.arguments = arguments, .world = baking.world};
      square.area = {baking.area.level, baking.area.x0 + column, baking.area.y0 + row, side, side,
                     baking.area.grid,  baking.area.face};
      const std::int64_t x = column / (side - 1);
      const std::int64_t y = row / (side - 1);
      // Unity's terrain toolbox counts rows from the south.
      const std::int64_t from_south = (baking.area.height - 1) / (side - 1) - 1 - y;
      square.tile = {arguments.engine == Engine::kUnity ? absl::StrCat("_", x, "_", from_south)
                                                        : absl::StrCat("_x", x, "_y", y),
                     column,
                     row,
                     {}};
      for (const RasterDescription& raster : rasters) {
        square.tile->ranges.emplace_back(raster.min, raster.max);
      }
      THALWEG_ASSIGN_OR_RETURN(const std::vector<std::string> files,
                               WriteArea(square, store, InRows(bake::PartsOf(square.area))));
      paths.insert(paths.end(), files.begin(), files.end());
    }
  }
  return paths;
}

}  // namespace

absl::Status CheckRaster(const Baking& baking) {
  const BakeFormat& format = *baking.arguments.format;
  if (format.IsRaw()) return absl::OkStatus();
  return OpenSink(Describe(baking, baking.arguments.layers.front()), format).status();
}

// Reads each part once, or twice where it must find a range first.
absl::StatusOr<std::vector<std::string>> WriteRasters(const Baking& baking,
                                                      const std::vector<BakedLevel>& levels) {
  const PartStore& store = levels.front().store;
  const std::vector<Part>& parts = levels.front().parts;
  return baking.arguments.tile_side > 0
             ? WriteSquares(baking, store, parts)
             : WriteArea(baking, store, parts, std::span(levels).subspan(1));
}

}  // namespace thalweg::cli
