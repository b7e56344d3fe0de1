#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <span>
#include <vector>

#include "absl/strings/str_format.h"
#include "client/cli/commands.h"
#include "client/cli/json.h"
#include "client/cli/output_file.h"
#include "client/cli/progress.h"
#include "client/globe/disc.h"
#include "client/globe/sampler.h"
#include "client/picture/globe.h"
#include "client/picture/label.h"
#include "proto/picture/png.h"
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
    return wire::Invalid("--disc", absl::StrCat("none, since world '", world.name, "' is a plane"),
                         "one");
  }
  if (arguments.format != Format::kSatellite || world.Has(Layer::kCover)) return absl::OkStatus();
  return wire::Invalid(
      "--format", absl::StrCat("hillshade, since world '", world.name, "' lacks the layer cover"),
      "satellite");
}

// Each point of the disc has five: itself, and those half a step right, left, above and below.
constexpr std::size_t kAround = 5;

std::vector<sphere::Point> PointsAround(std::span<const DiscPoint> disc, double step) {
  std::vector<sphere::Point> points;
  points.reserve(kAround * disc.size());
  for (const DiscPoint& point : disc) {
    points.push_back(point.at);
    for (const sphere::Point* along : {&point.right, &point.up}) {
      for (const double way : {0.5 * step, -0.5 * step}) {
        points.push_back({point.at.x + way * along->x, point.at.y + way * along->y,
                          point.at.z + way * along->z});
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
  if (arguments.format == Format::kSatellite) request.layers.push_back(Layer::kCover);
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

// Returns a place such as "20 N, 35.5 W".
std::string PlaceText(const LatLong& place) {
  return absl::StrFormat("%g %s, %g %s", std::abs(place.latitude), place.latitude < 0 ? "S" : "N",
                         std::abs(place.longitude), place.longitude < 0 ? "W" : "E");
}

absl::Status Write(const FetchArguments& arguments, const WorldInfo& world, const SeenDisc& seen,
                   OutputFile& file) {
  picture::Image image =
      picture::RenderGlobe(seen.pixels, {.size = arguments.size,
                                         .pixel_m = seen.pixel_m,
                                         .sea_level_m = world.sea_level_m,
                                         .satellite = arguments.format == Format::kSatellite});
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
                            {"latitude_deg", JsonNumber(arguments.disc->latitude)},
                            {"longitude_deg", JsonNumber(arguments.disc->longitude)}},
                           [&](std::span<const std::uint8_t> bytes) { return file.Write(bytes); });
}

}  // namespace

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
  return absl::StrCat("{\"out\":", JsonString(arguments.out), ",\"world\":", JsonString(world.name),
                      ",\"world_id\":", JsonString(world.id), ",\"level\":", seen.level,
                      ",\"latitude_deg\":", JsonNumber(arguments.disc->latitude),
                      ",\"longitude_deg\":", JsonNumber(arguments.disc->longitude),
                      ",\"width\":", arguments.size, ",\"height\":", arguments.size,
                      ",\"pixel_m\":", JsonNumber(seen.pixel_m), ",\"tiles\":", seen.tiles, "}\n");
}

}  // namespace thalweg::cli
