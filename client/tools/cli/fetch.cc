#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <numbers>
#include <optional>
#include <span>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "client/tools/cli/commands.h"
#include "client/tools/cli/files.h"
#include "client/tools/cli/progress.h"
#include "client/tools/globe/globe.h"
#include "client/tools/picture/globe.h"
#include "client/tools/picture/label.h"
#include "client/tools/picture/relief.h"
#include "proto/base/json_text.h"
#include "proto/base/message_text.h"
#include "proto/geometry/cube_sphere.h"
#include "proto/picture/image.h"
#include "proto/wire/invalid.h"
#include "proto/wire/status_macros.h"

namespace thalweg::cli {
namespace {

using globe::DiscPoint;

// The visible side of a planet, and the numbers that it was drawn with.
struct SeenDisc {
  int level = 0;
  // The size of a pixel on the ground in the middle of the disc.
  double pixel_m = 0;
  std::int64_t tiles = 0;
  std::vector<picture::GlobePixel> pixels = {};
};

absl::Status CheckPlanet(const FetchArguments& arguments, const WorldInfo& world) {
  if (!(world.radius_m > 0)) {
    return wire::Excluded("--disc", absl::StrCat("world '", world.name, "' is a plane"));
  }
  if (arguments.format != FetchFormat::kSatellite || world.Has(Layer::kCover)) {
    return absl::OkStatus();
  }
  return wire::Invalid(
      "--format", absl::StrCat("hillshade, since world '", world.name, "' lacks the layer cover"),
      "satellite");
}

// Each point of the disc has five: itself, and those half a step right, left, above and below.
constexpr std::size_t kAround = 5;

std::vector<sphere::Vector> PointsAround(std::span<const DiscPoint> disc, double step) {
  std::vector<sphere::Vector> points;
  points.reserve(kAround * disc.size());
  for (const DiscPoint& point : disc) {
    points.push_back(point.at);
    for (const sphere::Vector* along : {&point.right, &point.up}) {
      for (const double way : {0.5 * step, -0.5 * step}) {
        points.push_back(point.at + way * *along);
      }
    }
  }
  return points;
}

// Adds pixels from the heights, and covers if there are any, at those points.
void AddPixels(std::span<const DiscPoint> disc, const globe::Samples& samples, double step_m,
               std::vector<picture::GlobePixel>& pixels) {
  const std::vector<std::int32_t>& heights = samples.planes.front().values;
  const bool has_cover = samples.planes.size() > 1;
  for (std::size_t n = 0; n < disc.size(); ++n) {
    const std::size_t first = kAround * n;
    const auto rise = [&](std::size_t from, std::size_t to) {
      const double units = static_cast<double>(heights[first + to]) - heights[first + from];
      return static_cast<float>(units / 65'536 / step_m);
    };
    pixels.push_back({.x = disc[n].x,
                      .y = disc[n].y,
                      .height_m = static_cast<float>(heights[first]) / 65'536.0F,
                      .slope = {.east = rise(2, 1), .south = rise(3, 4)},
                      .cover = has_cover ? samples.planes.back().values[first] : 0,
                      .facing = static_cast<float>(disc[n].facing),
                      .share = disc[n].share});
  }
}

absl::StatusOr<SeenDisc> See(Client& client, const FetchArguments& arguments,
                             const WorldInfo& world) {
  const globe::Disc disc{*arguments.disc, arguments.size};
  SeenDisc seen{.level = std::min(globe::LevelOf(disc), world.levels - 1),
                .pixel_m = world.radius_m / disc.Radius()};
  const std::vector<DiscPoint> points = disc.Points();
  // A pixel or a cell, whichever is larger: a smaller step would show the cells' edges.
  const double step =
      std::max(1 / disc.Radius(), std::numbers::pi / 2 / std::ldexp(kTileCells, seen.level));
  globe::SampleRequest request{.world = world.id, .level = seen.level};
  if (arguments.format == FetchFormat::kSatellite) request.layers.push_back(Layer::kCover);
  ProgressLine line;
  // A million pixels at a time, because five points for each take some hundred bytes.
  constexpr std::size_t kAtATime = std::size_t{1} << 20;
  for (std::size_t first = 0; first < points.size(); first += kAtATime) {
    const std::span<const DiscPoint> some =
        std::span(points).subspan(first, std::min(kAtATime, points.size() - first));
    THALWEG_ASSIGN_OR_RETURN(
        const globe::Samples samples,
        globe::SamplePoints(client, request, PointsAround(some, step),
                            [&line](const RegionProgress& progress) { line.Show(progress); }));
    seen.tiles += samples.tiles;
    AddPixels(some, samples, step * world.radius_m, seen.pixels);
  }
  return seen;
}

absl::Status Write(const FetchArguments& arguments, const WorldInfo& world, const SeenDisc& seen,
                   OutputFile& file) {
  picture::Image image =
      picture::RenderGlobe(seen.pixels, {.size = arguments.size,
                                         .pixel_m = seen.pixel_m,
                                         .sea_level_m = world.sea_level_m,
                                         .satellite = arguments.format == FetchFormat::kSatellite});
  if (!arguments.no_label) {
    picture::DrawLabel(
        {{absl::StrFormat("%s, level %d", world.name, seen.level), PlaceText(*arguments.disc)},
         seen.pixel_m},
        image);
  }
  return picture::WritePng(image,
                           {{"Software", "thalweg " THALWEG_VERSION},
                            {"world", world.name},
                            {"world_id", world.id},
                            {"level", absl::StrCat(seen.level)},
                            {"latitude_deg", text::Decimal(arguments.disc->latitude)},
                            {"longitude_deg", text::Decimal(arguments.disc->longitude)}},
                           [&](std::span<const std::uint8_t> bytes) { return file.Write(bytes); });
}

// Fetched data to write.
struct Fetched {
  const FetchArguments& arguments;
  const WorldInfo& world;
  const Region& region;
  // The requested layer, and its extremes.
  const std::vector<std::int32_t>& values;
  std::int32_t min;
  std::int32_t max;

  double CellSizeM() const { return world.CellSizeM(arguments.level); }
  const LayerDescription& Description() const { return DescriptionOf(arguments.layer); }
  double Scaled(std::int32_t value) const { return value * Description().scale; }
  // Packed values have no range.
  bool HasRange() const {
    return arguments.layer != Layer::kNormal && arguments.layer != Layer::kCover;
  }
  // Returns "min" or "max" with the unit appended.
  std::string Key(const char* extreme) const {
    const absl::string_view unit(Description().unit.data(), Description().unit.size());
    return unit.empty() ? extreme : absl::StrCat(extreme, "_", unit);
  }
};

absl::Status CheckLayer(const WorldInfo& world, Layer layer) {
  if (world.Has(layer)) return absl::OkStatus();
  const std::string names = absl::StrJoin(
      world.layers, ", ", [](std::string* out, Layer has) { *out += LayerName(has); });
  return wire::Invalid("--layer", absl::StrCat("one that world '", world.name, "' has, ", names),
                       std::string(LayerName(layer)));
}

absl::Status CheckFace(const std::optional<int>& face, const WorldInfo& world) {
  const bool is_planet = world.radius_m > 0;
  if (is_planet == face.has_value()) return absl::OkStatus();
  if (is_planet) {
    return wire::Missing("--face",
                         absl::StrCat("0 to 5, since world '", world.name, "' is a planet"));
  }
  return wire::Excluded(absl::StrCat("--face ", *face),
                        absl::StrCat("world '", world.name, "' is a plane"));
}

// Whether the format is a picture of the lit ground.
bool IsPicture(FetchFormat format) {
  return format == FetchFormat::kHillshade || format == FetchFormat::kSatellite;
}

RegionRequest RequestOf(const FetchArguments& arguments, const WorldInfo& world) {
  RegionRequest request{.world = arguments.world,
                        .level = arguments.level,
                        .face = arguments.face.value_or(0),
                        .x0 = arguments.x0,
                        .y0 = arguments.y0,
                        .width = arguments.size,
                        .height = arguments.size,
                        .layers = {arguments.layer},
                        // Lattice steps would be visible on gentle slopes.
                        .precision = Precision::kExact};
  if (!IsPicture(arguments.format)) return request;
  const auto add = [&](Layer layer) {
    if (world.Has(layer)) request.layers.push_back(layer);
  };
  // A layer's picture lies over the relief. Lakes and sea are drawn by their depth, which takes few
  // bytes on dry ground.
  add(arguments.layer == Layer::kHeight ? Layer::kWaterDepth : Layer::kHeight);
  if (arguments.format == FetchFormat::kSatellite) add(Layer::kCover);
  // Needed to see where no direction is known.
  if (arguments.layer == Layer::kShoreDirection) add(Layer::kShoreDistance);
  if (arguments.rivers) add(Layer::kFlow);
  return request;
}

// Returns the plane of a layer; nothing if it was not asked for.
std::span<const std::int32_t> PlaneOf(const Region& region, Layer layer) {
  for (const RegionPlane& plane : region.planes) {
    if (plane.layer == layer) return plane.values;
  }
  return {};
}

// Returns the layer's name and range, with as many decimals as the range needs.
std::string LayerText(const Fetched& fetched) {
  std::string name(fetched.Description().name);
  if (!fetched.HasRange()) return name;
  const double min = fetched.Scaled(fetched.min);
  const double max = fetched.Scaled(fetched.max);
  const int decimals = max - min >= 20 ? 0 : max - min >= 2 ? 1 : 2;
  std::string text = absl::StrFormat("%s %.*f to %.*f %s", name, decimals, min, decimals, max,
                                     std::string(fetched.Description().unit));
  absl::StripTrailingAsciiWhitespace(&text);
  return text;
}

picture::Label LabelOf(const Fetched& fetched) {
  const FetchArguments& arguments = fetched.arguments;
  return {{absl::StrFormat("%s, level %d, %s cells", fetched.world.name, arguments.level,
                           picture::LengthText(fetched.CellSizeM())),
           absl::StrFormat("%sx0 %d, y0 %d, %d x %d",
                           arguments.face ? absl::StrCat("face ", *arguments.face, ", ") : "",
                           arguments.x0, arguments.y0, arguments.size, arguments.size),
           LayerText(fetched)},
          fetched.CellSizeM()};
}

std::vector<picture::PngText> TextsOf(const Fetched& fetched) {
  std::vector<picture::PngText> texts = {{"Software", "thalweg " THALWEG_VERSION},
                                         {"world", fetched.world.name},
                                         {"world_id", fetched.world.id},
                                         {"level", absl::StrCat(fetched.arguments.level)},
                                         {"x0", absl::StrCat(fetched.arguments.x0)},
                                         {"y0", absl::StrCat(fetched.arguments.y0)},
                                         {"cell_size_m", text::Decimal(fetched.CellSizeM())},
                                         {"layer", std::string(fetched.Description().name)}};
  if (fetched.arguments.face) texts.push_back({"face", absl::StrCat(*fetched.arguments.face)});
  if (fetched.HasRange()) {
    texts.push_back({fetched.Key("min"), text::Decimal(fetched.Scaled(fetched.min))});
    texts.push_back({fetched.Key("max"), text::Decimal(fetched.Scaled(fetched.max))});
  }
  return texts;
}

picture::Image Draw(const Fetched& fetched) {
  const Region& region = fetched.region;
  const Layer layer = fetched.arguments.layer;
  const picture::HeightGrid grid{PlaneOf(region, Layer::kHeight), region.width, region.height,
                                 fetched.CellSizeM()};
  const std::span<const std::int32_t> depth = PlaneOf(region, Layer::kWaterDepth);
  if (fetched.arguments.format == FetchFormat::kSatellite) {
    return picture::RenderSatellite(grid, PlaneOf(region, Layer::kCover), depth);
  }
  if (layer == Layer::kHeight) {
    return picture::RenderRelief(grid, {.sea_level_m = fetched.world.sea_level_m,
                                        .water_depth = depth,
                                        .flow = PlaneOf(region, Layer::kFlow)});
  }
  return picture::RenderLayer(grid, {.layer = layer,
                                     .values = fetched.values,
                                     .shore_distance = PlaneOf(region, Layer::kShoreDistance)});
}

absl::Status WritePicture(const Fetched& fetched, const picture::ByteSink& sink) {
  picture::Image image = Draw(fetched);
  if (!fetched.arguments.no_label) picture::DrawLabel(LabelOf(fetched), image);
  return picture::WritePng(image, TextsOf(fetched), sink);
}

absl::Status WriteI32(std::span<const std::int32_t> values, const picture::ByteSink& sink) {
  static_assert(std::endian::native == std::endian::little,
                "values are written in the machine's byte order, which must be little-endian");
  return sink({reinterpret_cast<const std::uint8_t*>(values.data()), values.size_bytes()});
}

absl::Status WriteAs(const Fetched& fetched, const picture::ByteSink& sink) {
  switch (fetched.arguments.format) {
    case FetchFormat::kHillshade:
    case FetchFormat::kSatellite:
      return WritePicture(fetched, sink);
    case FetchFormat::kPng16:
      if (fetched.arguments.layer == Layer::kNormal) {
        return picture::WriteNormalPng16(fetched.values, fetched.region.width,
                                         fetched.region.height, TextsOf(fetched), sink);
      }
      return picture::WritePng16(fetched.values, fetched.region.width, fetched.region.height,
                                 fetched.min, fetched.max, TextsOf(fetched), sink);
    case FetchFormat::kI32:
      return WriteI32(fetched.values, sink);
  }
  std::abort();  // the switch has every format
}

std::string Summary(const Fetched& fetched, bool json) {
  const FetchArguments& arguments = fetched.arguments;
  const Region& region = fetched.region;
  if (arguments.out == "-") return "";
  if (!json) {
    return absl::StrFormat("%s: %d x %d vertices of %s at level %d, %s, %d tiles, %.1f MB\n",
                           arguments.out, region.width, region.height, fetched.world.name,
                           arguments.level, LayerText(fetched), region.tiles,
                           static_cast<double>(region.wire_bytes) / 1e6);
  }
  nlohmann::ordered_json summary = {{"out", arguments.out},
                                    {"world", fetched.world.name},
                                    {"world_id", fetched.world.id},
                                    {"level", arguments.level}};
  if (arguments.face) summary["face"] = *arguments.face;
  summary["x0"] = arguments.x0;
  summary["y0"] = arguments.y0;
  summary["width"] = region.width;
  summary["height"] = region.height;
  summary["cell_size_m"] = fetched.CellSizeM();
  summary["layer"] = LayerName(arguments.layer);
  if (fetched.HasRange()) {
    summary["unit"] = fetched.Description().unit;
    summary[fetched.Key("min")] = fetched.Scaled(fetched.min);
    summary[fetched.Key("max")] = fetched.Scaled(fetched.max);
  }
  summary["tiles"] = region.tiles;
  summary["wire_bytes"] = region.wire_bytes;
  return json::TextOf(std::move(summary)) + "\n";
}

// The cells on a side of a planet's face.
std::int64_t CellsOfFace(int level) { return std::int64_t{kTileCells} << level; }

// Returns the level with cells nearest to the picture's, if the square is the showplace.
int LevelOfShowplace(int size, const WorldInfo& world) {
  // Older servers send no showplace.
  constexpr double kSomeCells = 30;
  const double side_m =
      world.showplace.side_m > 0 ? world.showplace.side_m : kSomeCells * world.cell_size_m;
  const auto nearest = static_cast<int>(std::lround(std::log2(world.cell_size_m * size / side_m)));
  int level = std::clamp(nearest, 0, world.levels - 1);
  if (!(world.radius_m > 0)) return level;
  // A face must have enough vertices.
  while (level < world.levels - 1 && CellsOfFace(level) < size - 1) ++level;
  return level;
}

// Moves the square to a place of a planet, so that it lies on one face.
absl::Status MoveTo(const LatLong& place, FetchArguments& arguments) {
  const std::int64_t cells = CellsOfFace(arguments.level);
  if (cells < arguments.size - 1) {
    return wire::Invalid("--size",
                         absl::StrCat("at most ", cells + 1, " at level ", arguments.level),
                         arguments.size);
  }
  const sphere::FacePlace on =
      sphere::PlaceOf(sphere::PointOf(sphere::LatLong{place.latitude, place.longitude}));
  const auto first = [&](double middle) {
    const std::int64_t vertex =
        std::llround(middle * static_cast<double>(cells)) - arguments.size / 2;
    return std::clamp<std::int64_t>(vertex, 0, cells + 1 - arguments.size);
  };
  arguments.face = on.face;
  arguments.x0 = first(on.x);
  arguments.y0 = first(on.y);
  return absl::OkStatus();
}

// Returns the arguments with what the world's showplace decides.
absl::StatusOr<FetchArguments> OfShowplace(FetchArguments arguments, const WorldInfo& world) {
  if (!arguments.of_showplace) return arguments;
  if (arguments.level_of_showplace) arguments.level = LevelOfShowplace(arguments.size, world);
  if (world.radius_m > 0) {
    THALWEG_RETURN_IF_ERROR(MoveTo(world.showplace.place, arguments));
    return arguments;
  }
  const double cell_m = world.CellSizeM(arguments.level);
  arguments.x0 = std::llround(world.showplace.east_m / cell_m) - arguments.size / 2;
  arguments.y0 = std::llround(world.showplace.south_m / cell_m) - arguments.size / 2;
  return arguments;
}

absl::StatusOr<Region> FetchWithProgress(Client& client, const FetchArguments& arguments,
                                         const WorldInfo& world) {
  ProgressLine line;
  return client.FetchRegion(RequestOf(arguments, world),
                            [&line](const RegionProgress& progress) { line.Show(progress); });
}

}  // namespace

std::string PlaceText(const LatLong& place) {
  return absl::StrFormat("%g %s, %g %s", std::abs(place.latitude), place.latitude < 0 ? "S" : "N",
                         std::abs(place.longitude), place.longitude < 0 ? "W" : "E");
}

absl::StatusOr<std::string> FetchDisc(Client& client, const FetchArguments& arguments,
                                      const WorldInfo& world, bool json) {
  THALWEG_RETURN_IF_ERROR(CheckPlanet(arguments, world));
  THALWEG_ASSIGN_OR_RETURN(OutputFile file, OutputFile::CreateAfterOthers(arguments.out));
  THALWEG_ASSIGN_OR_RETURN(const SeenDisc seen, See(client, arguments, world));
  THALWEG_RETURN_IF_ERROR(Write(arguments, world, seen, file));
  THALWEG_RETURN_IF_ERROR(file.Commit());
  if (arguments.out == "-") return "";
  if (!json) {
    return absl::StrFormat("%s: %s from over %s, %d x %d pixels of level %d, %d tiles\n",
                           arguments.out, world.name, PlaceText(*arguments.disc), arguments.size,
                           arguments.size, seen.level, seen.tiles);
  }
  return json::TextOf({{"out", arguments.out},
                       {"world", world.name},
                       {"world_id", world.id},
                       {"level", seen.level},
                       {"latitude_deg", arguments.disc->latitude},
                       {"longitude_deg", arguments.disc->longitude},
                       {"width", arguments.size},
                       {"height", arguments.size},
                       {"pixel_m", seen.pixel_m},
                       {"tiles", seen.tiles}}) +
         "\n";
}

absl::StatusOr<std::string> Fetch(Client& client, const FetchArguments& asked, bool json) {
  THALWEG_ASSIGN_OR_RETURN(const WorldInfo world, client.GetWorld(asked.world));
  if (asked.disc) return FetchDisc(client, asked, world, json);
  THALWEG_ASSIGN_OR_RETURN(const FetchArguments arguments, OfShowplace(asked, world));
  THALWEG_RETURN_IF_ERROR(CheckFace(arguments.face, world));
  THALWEG_RETURN_IF_ERROR(CheckLayer(world, arguments.layer));
  THALWEG_ASSIGN_OR_RETURN(OutputFile file, OutputFile::CreateAfterOthers(arguments.out));
  THALWEG_ASSIGN_OR_RETURN(const Region region, FetchWithProgress(client, arguments, world));
  const std::vector<std::int32_t>& values = region.planes.front().values;
  const auto [min, max] = std::minmax_element(values.begin(), values.end());
  const Fetched fetched{arguments, world, region, values, *min, *max};
  THALWEG_RETURN_IF_ERROR(
      WriteAs(fetched, [&](std::span<const std::uint8_t> bytes) { return file.Write(bytes); }));
  THALWEG_RETURN_IF_ERROR(file.Commit());
  return Summary(fetched, json);
}

}  // namespace thalweg::cli
