#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/tools/bake/part_region.h"
#include "client/tools/cli/bake_files.h"
#include "client/tools/cli/bake_format.h"
#include "client/tools/cli/bake_levels.h"
#include "client/tools/raster/raster_sink.h"
#include "proto/base/json_text.h"
#include "proto/geometry/sample_point.h"
#include "proto/wire/status_macros.h"
#include "proto/wire/tile_key.h"

namespace thalweg::cli {
namespace {

namespace fs = std::filesystem;
using bake::Area;
using bake::Part;
using bake::PartStore;
using nlohmann::ordered_json;
using raster_file::RasterDescription;
using raster_file::RasterSink;
using raster_file::Sample;

// Sets the requested range, in the layer's integers.
void SetRange(const std::pair<double, double>& range, RasterDescription& raster) {
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
  for (RasterDescription& raster : rasters) SetRange(*range, raster);
  return absl::OkStatus();
}

// Adds the numbers that an engine's import dialog asks for.
void AddEngine(const Baking& baking, const RasterDescription& raster, ordered_json& sidecar) {
  const double min_m = raster.min * raster.scale;
  const double range_m = raster.max * raster.scale - min_m;
  const double cell_cm = 100 * raster.cell_size_m;
  switch (baking.arguments.engine) {
    case Engine::kAny:
      return;
    case Engine::kUnity: {
      const ordered_json size_m = {static_cast<double>(raster.width - 1) * raster.cell_size_m,
                                   range_m,
                                   static_cast<double>(raster.height - 1) * raster.cell_size_m};
      sidecar["unity"] = {{"depth", "16 bit"},        {"byte_order", "Windows"},
                          {"flip_vertically", false}, {"resolution", raster.width},
                          {"terrain_size_m", size_m}, {"position_y_m", min_m}};
      return;
    }
    case Engine::kUnreal:
      // A sample v is at (v - 32,768) / 128 * scale centimetres above the location.
      sidecar["unreal"] = {{"scale", {cell_cm, cell_cm, 128 * 100 * range_m / 65535}},
                           {"location_z_cm", 100 * (min_m + range_m * 32768 / 65535)}};
      return;
  }
  std::abort();  // every engine is above
}

// The numbers that import dialogs ask for: values are offset + scale * sample.
std::string SidecarOf(const Baking& baking, const RasterDescription& raster) {
  const BakeFormat& format = *baking.arguments.format;
  const bool sixteen = format.sample == Sample::kUint16;
  const double min = raster.min * raster.scale;
  const double step = (raster.max * raster.scale - min) / 65535;
  ordered_json sidecar = {{"file", fs::path(raster.path).filename().string()},
                          {"width", raster.width},
                          {"height", raster.height},
                          {"sample", absl::StrCat(sixteen ? "uint16" : "int32",
                                                  format.IsRaw() ? ", little-endian" : "")},
                          {"unit", raster.unit},
                          {"scale", sixteen ? step : raster.scale},
                          {"offset", sixteen ? min : 0}};
  if (sixteen) {
    sidecar["min"] = min;
    sidecar["max"] = raster.max * raster.scale;
    // On a planet cells differ in size.
    if (!raster.place || raster.place->spacing == 0) {
      sidecar["size_m"] = {static_cast<double>(raster.width - 1) * raster.cell_size_m,
                           static_cast<double>(raster.height - 1) * raster.cell_size_m};
    }
    sidecar["rows"] = raster.from_south ? "from south" : "from north";
    AddEngine(baking, raster, sidecar);
  }
  AddMetadata(raster, sidecar);
  return json::TextOf(std::move(sidecar)) + "\n";
}

// The middle of an overview's first pixel along an axis, in vertices of its level.
struct Middle {
  std::int64_t vertex = 0;
  // How far beyond that vertex: 0 to 1.
  double beyond = 0;
};

// `first`: the first vertex of the bake, which is `finer` levels finer.
Middle MiddleOf(std::int64_t first, int finer) {
  // In half vertices of the bake.
  const std::int64_t cell = std::int64_t{2} << finer;
  const std::int64_t at = 2 * first + cell / 2 - 1;
  const std::int64_t vertex = wire::FloorDivide(at, cell);
  return {vertex, static_cast<double>(at - vertex * cell) / static_cast<double>(cell)};
}

// Pixels on a side of an overview: each is half as large as the one before, rounded up.
std::int64_t SideOf(std::int64_t side, int finer) {
  return (side + (std::int64_t{1} << finer) - 1) >> finer;
}

bool IsNumber(Layer layer) {
  return sampling::RuleOf(static_cast<v1::Layer>(layer)) == sampling::Rule::kBilinear;
}

// A rectangle of an overview's pixels, whose first lies `x` and `y` beyond a vertex.
struct Pixels {
  int width = 0;
  int height = 0;
  double x = 0;
  double y = 0;
};

// Returns the values at the middles of pixels between vertices, from that of the first pixel on.
// Where they end, the last ones count.
std::vector<std::int32_t> AtMiddles(const survey::Grid<std::int32_t>& vertices,
                                    const Pixels& pixels, bool is_number) {
  std::vector<std::int32_t> middles;
  middles.reserve(static_cast<std::size_t>(pixels.width) * static_cast<std::size_t>(pixels.height));
  for (int y = 0; y < pixels.height; ++y) {
    for (int x = 0; x < pixels.width; ++x) {
      const auto at = [&](int dx, int dy) {
        return vertices.At(std::min(x + dx, vertices.width - 1),
                           std::min(y + dy, vertices.height - 1));
      };
      if (!is_number) {
        middles.push_back(at(pixels.x < 0.5 ? 0 : 1, pixels.y < 0.5 ? 0 : 1));
        continue;
      }
      const auto along = [&](int dy) {
        return std::lerp(static_cast<double>(at(0, dy)), static_cast<double>(at(1, dy)), pixels.x);
      };
      middles.push_back(
          static_cast<std::int32_t>(std::lround(std::lerp(along(0), along(1), pixels.y))));
    }
  }
  return middles;
}

// Writes the overviews: each pixel has the value in its own middle, between vertices of its level.
// (Pixels of the file are around vertices, so a pixel of an overview is around a place half a cell,
// one and a half, three and a half, ... from the vertex of its first one.) Layers that are not
// numbers, such as the cover, have that of the nearest vertex.
absl::Status WriteOverviews(const Baking& baking, std::span<const BakedLevel> overviews,
                            const std::vector<std::unique_ptr<raster_file::RasterSink>>& sinks) {
  for (const BakedLevel& level : overviews) {
    const Area& whole = level.area;
    const int finer = baking.area.level - whole.level;
    const std::int64_t width = SideOf(baking.area.width, finer);
    const std::int64_t height = SideOf(baking.area.height, finer);
    for (const Part& part : level.parts) {
      Area area = bake::Clipped(whole, part);
      const std::int64_t column = area.x0 - whole.x0;
      const std::int64_t row = area.y0 - whole.y0;
      const Pixels pixels{static_cast<int>(std::min(area.width, width - column)),
                          static_cast<int>(std::min(area.height, height - row)),
                          MiddleOf(baking.area.x0, finer).beyond,
                          MiddleOf(baking.area.y0, finer).beyond};
      if (pixels.width <= 0 || pixels.height <= 0) continue;
      area.width = std::min<std::int64_t>(pixels.width + 1, whole.width - column);
      area.height = std::min<std::int64_t>(pixels.height + 1, whole.height - row);
      THALWEG_ASSIGN_OR_RETURN(const BakedGrids planes, ReadArea(level, area, sinks.size()));
      for (std::size_t plane = 0; plane < sinks.size(); ++plane) {
        const bool is_number = IsNumber(baking.arguments.layers[plane]);
        THALWEG_RETURN_IF_ERROR(
            sinks[plane]->WriteOverview(finer, column, row, pixels.width, pixels.height,
                                        AtMiddles(planes[plane], pixels, is_number), 0));
      }
    }
  }
  return absl::OkStatus();
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

// A file of weights: its classes are its bands, in this order.
struct WeightsFile {
  std::string name;
  std::vector<Cover> covers;
};

std::vector<WeightsFile> WeightsFilesOf(std::size_t channels) {
  std::vector<WeightsFile> files;
  for (int number = 0; number < kCovers; ++number) {
    const auto cover = static_cast<Cover>(number);
    if (channels == 1) {
      files.push_back({CoverName(cover), {cover}});
      continue;
    }
    if (files.empty() || files.back().covers.size() == channels) {
      files.push_back({absl::StrCat(files.size()), {}});
    }
    files.back().covers.push_back(cover);
  }
  return files;
}

// Returns a class's weight at each vertex, in 1/255.
std::vector<std::int32_t> WeightsOf(Cover cover, std::span<const std::int32_t> packed) {
  std::vector<std::int32_t> weights;
  weights.reserve(packed.size());
  for (const std::int32_t value : packed) {
    std::int32_t weight = 0;
    for (const CoverPart& part : UnpackCover(value)) {
      if (part.cover == cover) weight += part.weight;
    }
    weights.push_back(weight);
  }
  return weights;
}

std::string WeightsSidecarOf(const Baking& baking, const std::vector<WeightsFile>& files) {
  const RasterDescription raster = Describe(baking, Layer::kCover);
  ordered_json list = ordered_json::array();
  for (const WeightsFile& file : files) {
    ordered_json channels = ordered_json::array();
    for (const Cover cover : file.covers) channels.push_back(CoverName(cover));
    list.push_back({{"file", fs::path(PathWith(baking, file.name)).filename().string()},
                    {"channels", std::move(channels)}});
  }
  ordered_json sidecar = {
      {"files", std::move(list)}, {"width", raster.width}, {"height", raster.height}};
  AddMetadata(raster, sidecar);
  return json::TextOf(std::move(sidecar)) + "\n";
}

// Opens a file. Bands without a class are zero.
absl::StatusOr<std::unique_ptr<RasterSink>> OpenFile(const Baking& baking,
                                                     const std::string& path) {
  RasterDescription raster = Describe(baking, Layer::kCover);
  raster.path = path;
  raster.bands = baking.arguments.format->bands;
  return OpenSink(raster, *baking.arguments.format);
}

// Writes the files of the classes and a sidecar that names their channels, from parts whose only
// layer is the cover. Returns the files' names.
absl::StatusOr<std::vector<std::string>> WriteWeights(const Baking& baking, const PartStore& store,
                                                      const std::vector<Part>& parts) {
  const RasterDescription raster = Describe(baking, Layer::kCover);
  const std::vector<WeightsFile> files =
      WeightsFilesOf(static_cast<std::size_t>(baking.arguments.format->bands));
  std::vector<std::string> paths;
  std::vector<std::unique_ptr<RasterSink>> sinks;
  for (const WeightsFile& file : files) {
    paths.push_back(PathWith(baking, file.name));
    THALWEG_ASSIGN_OR_RETURN(sinks.emplace_back(), OpenFile(baking, paths.back()));
  }
  for (const Part& part : parts) {
    THALWEG_ASSIGN_OR_RETURN(const Region region, ReadPart(baking, store, part));
    for (std::size_t file = 0; file < files.size(); ++file) {
      const std::vector<Cover>& covers = files[file].covers;
      for (std::size_t band = 0; band < covers.size(); ++band) {
        THALWEG_RETURN_IF_ERROR(WritePart(baking, region,
                                          WeightsOf(covers[band], region.planes[0].values),
                                          static_cast<int>(band), *sinks[file]));
      }
    }
  }
  for (const auto& sink : sinks) THALWEG_RETURN_IF_ERROR(sink->Finish());
  THALWEG_RETURN_IF_ERROR(WriteText(raster.path + ".json", WeightsSidecarOf(baking, files)));
  return paths;
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

std::vector<Area> AreasOfOverviews(const Baking& baking) {
  constexpr std::int64_t kSmallest = 512;
  const Area& area = baking.area;
  std::vector<Area> areas = {area};
  if (baking.arguments.overviews == OverviewSource::kMeans) return areas;
  const std::int64_t longer = std::max(area.width, area.height);
  for (int finer = 1; finer <= area.level && SideOf(longer, finer - 1) > kSmallest; ++finer) {
    const int level = area.level - finer;
    const std::int64_t x0 = MiddleOf(area.x0, finer).vertex;
    const std::int64_t y0 = MiddleOf(area.y0, finer).vertex;
    const std::int64_t last = baking.world.radius_m > 0 ? std::int64_t{wire::kTileCells} << level
                                                        : baking.world.max_vertex;
    areas.push_back({level, x0, y0, std::min(SideOf(area.width, finer), last - x0) + 1,
                     std::min(SideOf(area.height, finer), last - y0) + 1, area.grid, area.face});
  }
  return areas;
}

}  // namespace thalweg::cli
