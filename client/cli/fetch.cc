#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "client/cli/commands.h"
#include "client/cli/json.h"
#include "client/cli/output_file.h"
#include "client/cli/progress.h"
#include "client/picture/label.h"
#include "client/picture/png.h"
#include "client/picture/relief.h"
#include "proto/wire/status_macros.h"

namespace thalweg::cli {
namespace {

// What a fetch has at hand when it writes.
struct Fetched {
  const FetchArguments& arguments;
  const WorldInfo& world;
  const Region& region;
  // The layer that was asked for, and its extremes.
  const std::vector<std::int32_t>& values;
  std::int32_t min;
  std::int32_t max;

  double CellSizeM() const { return world.CellSizeM(arguments.level); }
  // Values in metres, flow in cells' rain.
  double Scaled(std::int32_t value) const {
    return value / (arguments.layer == Layer::kFlow ? 256.0 : 65536.0);
  }
  const char* Unit() const { return arguments.layer == Layer::kFlow ? "cells" : "m"; }
};

RegionRequest RequestOf(const FetchArguments& arguments) {
  RegionRequest request{.world = arguments.world,
                        .level = arguments.level,
                        .x0 = arguments.x0,
                        .y0 = arguments.y0,
                        .width = arguments.size,
                        .height = arguments.size,
                        .layers = {arguments.layer},
                        // Steps of the lattice would show on gentle slopes.
                        .precision = Precision::kExact};
  if (arguments.format != Format::kHillshade) return request;
  // A layer's picture lies over the relief.
  if (arguments.layer != Layer::kHeight) request.layers.push_back(Layer::kHeight);
  if (arguments.rivers) request.layers.push_back(Layer::kFlow);
  return request;
}

const std::vector<std::int32_t>* PlaneOf(const Region& region, Layer layer) {
  for (const RegionPlane& plane : region.planes) {
    if (plane.layer == layer) return &plane.values;
  }
  return nullptr;
}

// Metres with as many decimals as the range deserves.
std::string RangeText(const Fetched& fetched) {
  const double min = fetched.Scaled(fetched.min);
  const double max = fetched.Scaled(fetched.max);
  const int decimals = max - min >= 20 ? 0 : max - min >= 2 ? 1 : 2;
  return absl::StrFormat("%.*f to %.*f %s", decimals, min, decimals, max, fetched.Unit());
}

picture::Label LabelOf(const Fetched& fetched) {
  const FetchArguments& arguments = fetched.arguments;
  const std::string layer(LayerName(arguments.layer));
  return {{absl::StrFormat("%s, level %d, %s cells", fetched.world.name, arguments.level,
                           picture::LengthText(fetched.CellSizeM())),
           absl::StrFormat("x0 %d, y0 %d, %d x %d", arguments.x0, arguments.y0, arguments.size,
                           arguments.size),
           absl::StrCat(layer, " ", RangeText(fetched))},
          fetched.CellSizeM()};
}

std::vector<picture::PngText> TextsOf(const Fetched& fetched) {
  const std::string unit = fetched.Unit();
  return {{"Software", "thalweg " THALWEG_VERSION},
          {"world", fetched.world.name},
          {"world_id", fetched.world.id},
          {"level", absl::StrCat(fetched.arguments.level)},
          {"x0", absl::StrCat(fetched.arguments.x0)},
          {"y0", absl::StrCat(fetched.arguments.y0)},
          {"cell_size_m", JsonNumber(fetched.CellSizeM())},
          {"layer", std::string(LayerName(fetched.arguments.layer))},
          {"min_" + unit, JsonNumber(fetched.Scaled(fetched.min))},
          {"max_" + unit, JsonNumber(fetched.Scaled(fetched.max))}};
}

absl::Status WriteHillshade(const Fetched& fetched, const picture::ByteSink& sink) {
  const Region& region = fetched.region;
  const picture::HeightGrid grid{*PlaneOf(region, Layer::kHeight), region.width, region.height,
                                 fetched.CellSizeM()};
  picture::ReliefOptions options{.sea_level_m = fetched.world.sea_level_m, .flow = {}};
  if (fetched.arguments.rivers) options.flow = *PlaneOf(region, Layer::kFlow);
  picture::Image image = fetched.arguments.layer == Layer::kHeight
                             ? picture::RenderRelief(grid, options)
                             : picture::RenderLayer(grid, fetched.arguments.layer, fetched.values);
  if (!fetched.arguments.no_label) picture::DrawLabel(LabelOf(fetched), image);
  return picture::WritePng(image, TextsOf(fetched), sink);
}

absl::Status WriteI32(std::span<const std::int32_t> values, const picture::ByteSink& sink) {
  static_assert(std::endian::native == std::endian::little, "values are written as they lie");
  return sink({reinterpret_cast<const std::uint8_t*>(values.data()), values.size_bytes()});
}

absl::Status WriteAs(const Fetched& fetched, const picture::ByteSink& sink) {
  switch (fetched.arguments.format) {
    case Format::kHillshade:
      return WriteHillshade(fetched, sink);
    case Format::kPng16:
      return picture::WritePng16(fetched.values, fetched.region.width, fetched.region.height,
                                 fetched.min, fetched.max, TextsOf(fetched), sink);
    case Format::kI32:
      return WriteI32(fetched.values, sink);
  }
  return absl::InternalError("unknown format");
}

std::string Summary(const Fetched& fetched, bool json) {
  const FetchArguments& arguments = fetched.arguments;
  const Region& region = fetched.region;
  if (arguments.out == "-") return "";
  if (!json) {
    return absl::StrFormat("%s: %d x %d vertices of %s at level %d, %s %s, %d tiles, %.1f MB\n",
                           arguments.out, region.width, region.height, fetched.world.name,
                           arguments.level, std::string(LayerName(arguments.layer)),
                           RangeText(fetched), region.tiles,
                           static_cast<double>(region.wire_bytes) / 1e6);
  }
  const std::string unit = fetched.Unit();
  return absl::StrCat(
      "{\"out\":", JsonString(arguments.out), ",\"world\":", JsonString(fetched.world.name),
      ",\"world_id\":", JsonString(fetched.world.id), ",\"level\":", arguments.level,
      ",\"x0\":", arguments.x0, ",\"y0\":", arguments.y0, ",\"width\":", region.width,
      ",\"height\":", region.height, ",\"cell_size_m\":", JsonNumber(fetched.CellSizeM()),
      ",\"layer\":", JsonString(LayerName(arguments.layer)), ",\"min_", unit,
      "\":", JsonNumber(fetched.Scaled(fetched.min)), ",\"max_", unit,
      "\":", JsonNumber(fetched.Scaled(fetched.max)), ",\"tiles\":", region.tiles,
      ",\"wire_bytes\":", region.wire_bytes, "}\n");
}

absl::StatusOr<Region> FetchWithProgress(Client& client, const FetchArguments& arguments) {
  ProgressLine line;
  return client.FetchRegion(RequestOf(arguments),
                            [&line](const RegionProgress& progress) { line.Show(progress); });
}

}  // namespace

absl::StatusOr<std::string> Fetch(Client& client, const FetchArguments& arguments, bool json) {
  THALWEG_ASSIGN_OR_RETURN(const WorldInfo world, client.GetWorld(arguments.world));
  THALWEG_ASSIGN_OR_RETURN(OutputFile file, OutputFile::Create(arguments.out));
  THALWEG_ASSIGN_OR_RETURN(const Region region, FetchWithProgress(client, arguments));
  const std::vector<std::int32_t>& values = region.planes.front().values;
  const auto [min, max] = std::minmax_element(values.begin(), values.end());
  const Fetched fetched{arguments, world, region, values, *min, *max};
  THALWEG_RETURN_IF_ERROR(
      WriteAs(fetched, [&](std::span<const std::uint8_t> bytes) { return file.Write(bytes); }));
  THALWEG_RETURN_IF_ERROR(file.Commit());
  return Summary(fetched, json);
}

}  // namespace thalweg::cli
