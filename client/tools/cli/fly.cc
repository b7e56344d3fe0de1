#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "client/tools/cli/cameras.h"
#include "client/tools/cli/commands.h"
#include "client/tools/cli/files.h"
#include "client/tools/cli/flight.h"
#include "client/tools/cli/planet_path.h"
#include "client/tools/picture/label.h"
#include "client/tools/picture/relief.h"
#include "proto/base/json_text.h"
#include "proto/picture/image.h"
#include "proto/wire/invalid.h"
#include "proto/wire/status_macros.h"

namespace thalweg::cli {

// What a flight saw, as text and as a picture.

// Writes a picture of the ground around the way, seen from above, as PNG.
absl::Status WriteFlightPicture(const TerrainView& view, const FlightReport& report,
                                const std::string& path);

namespace {

using nlohmann::ordered_json;

void Line(std::string& text, const std::string& name, const std::string& value) {
  absl::StrAppendFormat(&text, "  %-24s %s\n", name, value);
}

// Returns 0 to 1.
template <typename Count>
double PartOf(Count part, Count whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

std::string Frames(int frames, int of) {
  return absl::StrFormat("%d (%.1f %%)", frames, 100 * PartOf(frames, of));
}

// Returns counts such as "12 of level 0, 31 of level 1".
std::string ByLevel(const std::vector<std::size_t>& tiles) {
  std::string text;
  for (std::size_t level = 0; level < tiles.size(); ++level) {
    if (tiles[level] == 0) continue;
    absl::StrAppend(&text, text.empty() ? "" : ", ", tiles[level], " of level ", level);
  }
  return text.empty() ? "none" : text;
}

std::string Three(const Percentiles& values, const char* unit) {
  return absl::StrFormat("half within %.1f %s, 95 %% within %.1f %s, all within %.1f %s",
                         values.p50, unit, values.p95, unit, values.max, unit);
}

// Returns how the camera flew.
std::string WayText(const FlyArguments& arguments) {
  if (!arguments.path.empty()) return absl::StrCat("along ", arguments.path);
  return absl::StrFormat("at %g m/s, %g m above the ground", arguments.speed_m_s,
                         arguments.height_m);
}

std::string TableText(const FlyArguments& arguments, const WorldInfo& world,
                      const FlightReport& report) {
  const TerrainStatistics& statistics = report.statistics;
  std::string text = absl::StrFormat("%s: %.1f km in %.1f s %s\n\nFrames\n", world.name,
                                     report.flown_m / 1e3, report.flown_s, WayText(arguments));
  Line(text, "drawn", absl::StrFormat("%d, %d of them late", report.frames, report.late));
  Line(text, "complete, no cracks", Frames(report.complete, report.frames));
  Line(text, "as fine as wanted", Frames(report.finest, report.frames));
  Line(text, "with cracks", Frames(report.cracked, report.frames));
  Line(text, "first complete set", absl::StrFormat("after %.2f s", report.first_complete_s));
  Line(text, "finest after the stop",
       absl::StrFormat("%s; tiles that arrived: %d, needed: %d",
                       report.finest_after_s < 0
                           ? "not in time"
                           : absl::StrFormat("after %.2f s", report.finest_after_s),
                       report.tiles_after_stop, report.needed_after_stop));
  Line(text, "time a frame took", Three(report.frame_us, "us"));
  text += "\nTiles\n";
  Line(text, "from the server",
       absl::StrFormat("%d, %.2f MB, %.1f %% of 16 bits a vertex", statistics.tiles_received,
                       static_cast<double>(statistics.wire_bytes) / 1e6,
                       100 * report.wire_share_of_raw));
  Line(text, "already at hand",
       absl::StrFormat("%d of %d that the server knew of", statistics.tiles_unchanged,
                       statistics.tiles_had));
  Line(text, "failed, damaged",
       absl::StrFormat("%d, %d", statistics.tiles_failed, statistics.tiles_corrupt));
  Line(text, "arrived", ByLevel(report.tiles_by_level));
  Line(text, "drawn at the end", ByLevel(report.drawn_by_level));
  Line(text, "arrived in time",
       absl::StrFormat("%d of %d (%.1f %%)", report.in_time, report.needed,
                       100 * PartOf(report.in_time, report.needed)));
  Line(text, "missing for", Three(report.waited_ms, "ms"));
  Line(text, "on disk",
       absl::StrFormat("%d read, %d written, %d damaged, %.1f MB", statistics.disk_reads,
                       statistics.disk_writes, statistics.disk_corrupt,
                       static_cast<double>(statistics.disk_bytes) / 1e6));
  Line(text, "in memory",
       absl::StrFormat("%d, %.1f MB; tolerance x %.3g, %d evicted", statistics.tiles_in_memory,
                       static_cast<double>(statistics.memory_bytes) / 1e6,
                       statistics.tolerance_scale, statistics.tiles_evicted));
  Line(text, "connections lost", absl::StrCat(statistics.reconnects));
  return text;
}

// Returns one field of all intervals.
template <typename Field>
ordered_json Series(const FlightReport& report, Field field) {
  ordered_json series = ordered_json::array();
  for (const FlightInterval& interval : report.intervals) series.push_back(field(interval));
  return series;
}

ordered_json IntervalsOf(const FlightReport& report) {
  using I = FlightInterval;
  return {{"begin_s", Series(report, [](const I& i) { return i.begin_s; })},
          {"frames", Series(report, [](const I& i) { return i.frames; })},
          {"complete", Series(report, [](const I& i) { return i.complete; })},
          {"finest", Series(report, [](const I& i) { return i.finest; })},
          {"drawn", Series(report, [](const I& i) { return i.drawn; })},
          {"missing", Series(report, [](const I& i) { return i.missing; })},
          {"finest_level", Series(report, [](const I& i) { return i.finest_level; })},
          {"tiles", Series(report, [](const I& i) { return i.tiles; })},
          {"wire_bytes", Series(report, [](const I& i) { return i.wire_bytes; })}};
}

ordered_json ThreeOf(const Percentiles& values) {
  return {{"p50", values.p50}, {"p95", values.p95}, {"max", values.max}};
}

ordered_json StatisticsOf(const TerrainStatistics& s) {
  return {{"received", s.tiles_received},   {"wire_bytes", s.wire_bytes},
          {"unchanged", s.tiles_unchanged}, {"had", s.tiles_had},
          {"failed", s.tiles_failed},       {"corrupt", s.tiles_corrupt},
          {"evicted", s.tiles_evicted},     {"disk_reads", s.disk_reads},
          {"disk_writes", s.disk_writes},   {"disk_corrupt", s.disk_corrupt},
          {"disk_bytes", s.disk_bytes},     {"in_memory", s.tiles_in_memory},
          {"memory_bytes", s.memory_bytes}, {"wanted", s.tiles_wanted},
          {"missing", s.tiles_missing},     {"tolerance_scale", s.tolerance_scale},
          {"reconnects", s.reconnects}};
}

// Adds how the camera flew.
void AddWay(const FlyArguments& arguments, ordered_json& object) {
  const bool has_path = !arguments.path.empty();
  object["path"] = has_path ? ordered_json(arguments.path) : ordered_json();
  object["speed_m_s"] = has_path ? ordered_json() : ordered_json(arguments.speed_m_s);
  object["height_m"] = has_path ? ordered_json() : ordered_json(arguments.height_m);
}

std::string JsonText(const FlyArguments& arguments, const WorldInfo& world,
                     const FlightReport& report) {
  ordered_json object = {{"world", world.name}, {"world_id", world.id}};
  AddWay(arguments, object);
  object.update({{"flown_s", report.flown_s},
                 {"flown_m", report.flown_m},
                 {"first_complete_s", report.first_complete_s},
                 {"finest_after_s", nullptr},
                 {"tiles_after_stop", report.tiles_after_stop},
                 {"needed_after_stop", report.needed_after_stop},
                 {"needed", report.needed},
                 {"in_time", report.in_time},
                 {"frames", report.frames},
                 {"complete", report.complete},
                 {"finest", report.finest},
                 {"finest_share", PartOf(report.finest, report.frames)},
                 {"cracked", report.cracked},
                 {"late", report.late},
                 {"frame_us", ThreeOf(report.frame_us)},
                 {"waited_ms", ThreeOf(report.waited_ms)},
                 {"wire_share_of_raw", report.wire_share_of_raw},
                 {"tiles_by_level", report.tiles_by_level},
                 {"drawn_by_level", report.drawn_by_level},
                 {"tiles", StatisticsOf(report.statistics)},
                 {"intervals", IntervalsOf(report)}});
  if (report.finest_after_s >= 0) object["finest_after_s"] = report.finest_after_s;
  return json::TextOf(std::move(object)) + "\n";
}

constexpr int kSide = 1'024;
constexpr double kMinSideM = 8'000;
constexpr double kWays = 2.5;

// A square of ground, one vertex for each pixel.
struct Map {
  double west_m = 0;
  double north_m = 0;
  double pixel_m = 0;
  std::vector<std::int32_t> height_q16;
  std::vector<std::int8_t> level;
  std::vector<std::uint32_t> tile;

  picture::PicturePoint At(const Vector3& point) const {
    return {(point.east - west_m) / pixel_m, (point.south - north_m) / pixel_m};
  }
};

// Returns a number for each drawn tile, by key.
std::map<TileKey, std::uint32_t> Numbered(const TerrainView& view) {
  std::map<TileKey, std::uint32_t> numbers;
  for (const DrawnTile& tile : view.drawn()) {
    numbers.emplace(tile.key, static_cast<std::uint32_t>(numbers.size() + 1));
  }
  return numbers;
}

Map Survey(const TerrainView& view, const FlightReport& report) {
  const double way = std::hypot(report.end_m.east - report.begin_m.east,
                                report.end_m.south - report.begin_m.south);
  const double side = std::max(kMinSideM, kWays * way);
  Map map{.west_m = 0.5 * (report.begin_m.east + report.end_m.east - side),
          .north_m = 0.5 * (report.begin_m.south + report.end_m.south - side),
          .pixel_m = side / kSide,
          .height_q16 = {},
          .level = {},
          .tile = {}};
  const auto numbers = Numbered(view);
  for (int y = 0; y < kSide; ++y) {
    for (int x = 0; x < kSide; ++x) {
      const double east = map.west_m + (x + 0.5) * map.pixel_m;
      const double south = map.north_m + (y + 0.5) * map.pixel_m;
      int level = -1;
      std::uint32_t number = 0;
      for (int tried = 0; tried < view.world().levels && level < 0; ++tried) {
        const double tile_m = view.world().CellSizeM(tried) * kTileCells;
        const auto found =
            numbers.find({tried, static_cast<std::int64_t>(std::floor(east / tile_m)),
                          static_cast<std::int64_t>(std::floor(south / tile_m))});
        if (found == numbers.end()) continue;
        level = tried;
        number = found->second;
      }
      const double height = view.HeightAt(east, south).value_or(0);
      map.height_q16.push_back(static_cast<std::int32_t>(height * 65'536));
      map.level.push_back(static_cast<std::int8_t>(level));
      map.tile.push_back(number);
    }
  }
  return map;
}

std::vector<picture::LegendEntry> LegendOf(const Map& map, const WorldInfo& world) {
  std::map<int, int> pixels;
  for (const std::int8_t level : map.level) ++pixels[level];
  std::vector<picture::LegendEntry> legend;
  for (const auto& [level, count] : pixels) {
    if (level < 0) continue;
    legend.push_back(
        {picture::LevelColor(level),
         absl::StrCat("level ", level, ": ", picture::LengthText(world.CellSizeM(level)))});
  }
  return legend;
}

TerrainViewOptions OptionsOf(const FlyArguments& arguments) {
  return {.world = arguments.world,
          .memory_bytes = static_cast<std::size_t>(arguments.memory_mib) << 20,
          .cache_folder = arguments.cache,
          .lookahead_s = arguments.lookahead_s};
}

// Returns the camera for the view's world: with a path on a planet, without one on a plane.
absl::StatusOr<std::unique_ptr<FlightCamera>> CameraOver(const TerrainView& view,
                                                         std::optional<PlanetPath> path,
                                                         const FlyArguments& arguments) {
  const WorldInfo& world = view.world();
  const bool is_planet = world.radius_m > 0;
  if (is_planet && !path) {
    return wire::Missing("--path",
                         absl::StrCat("a file, since world '", world.name, "' is a planet"));
  }
  if (!is_planet && path) {
    return wire::Excluded(absl::StrCat("--path ", arguments.path),
                          absl::StrCat("world '", world.name, "' is a plane"));
  }
  if (!path) return std::make_unique<PlaneCamera>(view, arguments);
  const auto ground = [&view](const LatLong& place) { return view.HeightAt(place); };
  return std::make_unique<PlanetCamera>(*std::move(path), world.radius_m, ground, arguments);
}

// Prints a line for an interval on a terminal.
void ShowInterval(const FlightInterval& interval) {
  const std::string line = absl::StrFormat(
      "%6.1f s  %3d frames  %3d complete  %3d finest  %5d drawn to level %2d  %4d missing  "
      "%4d tiles  %6.2f MB\n",
      interval.begin_s, interval.frames, interval.complete, interval.finest, interval.drawn,
      interval.finest_level, interval.missing, interval.tiles,
      static_cast<double>(interval.wire_bytes) / 1e6);
  std::fputs(line.c_str(), stderr);
}

}  // namespace

std::string FlightText(const FlyArguments& arguments, const WorldInfo& world,
                       const FlightReport& report, bool json) {
  return json ? JsonText(arguments, world, report) : TableText(arguments, world, report);
}

absl::Status WriteFlightPicture(const TerrainView& view, const FlightReport& report,
                                const std::string& path) {
  THALWEG_ASSIGN_OR_RETURN(OutputFile file, OutputFile::CreateAfterOthers(path));
  const Map map = Survey(view, report);
  picture::Image image =
      picture::RenderLevels({map.height_q16, kSide, kSide, map.pixel_m}, {map.level, map.tile});
  picture::DrawPath(map.At(report.begin_m), map.At(report.end_m), image);
  picture::DrawLegend(LegendOf(map, view.world()), image);
  picture::DrawLabel({{absl::StrFormat("%s, %.1f km flown in %.0f s", view.world().name,
                                       report.flown_m / 1'000, report.flown_s),
                       absl::StrFormat("%d tiles drawn", view.drawn().size())},
                      map.pixel_m},
                     image);
  THALWEG_RETURN_IF_ERROR(picture::WritePng(
      image, {{"Software", "thalweg " THALWEG_VERSION}, {"world_id", view.world().id}},
      [&](std::span<const std::uint8_t> bytes) { return file.Write(bytes); }));
  return file.Commit();
}

absl::StatusOr<std::string> Fly(Client& client, const FlyArguments& arguments, bool json) {
  std::optional<PlanetPath> path;
  if (!arguments.path.empty()) {
    THALWEG_ASSIGN_OR_RETURN(path, ReadPath(arguments.path));
  }
  THALWEG_ASSIGN_OR_RETURN(const std::unique_ptr<TerrainView> view,
                           TerrainView::Open(client, OptionsOf(arguments)));
  THALWEG_ASSIGN_OR_RETURN(const std::unique_ptr<FlightCamera> camera,
                           CameraOver(*view, std::move(path), arguments));
  FlightProgress progress;
  if (isatty(STDERR_FILENO) == 1) progress = ShowInterval;
  THALWEG_ASSIGN_OR_RETURN(const FlightReport report, FlyView(*view, *camera, arguments, progress));
  if (!arguments.picture.empty()) {
    THALWEG_RETURN_IF_ERROR(WriteFlightPicture(*view, report, arguments.picture));
  }
  THALWEG_RETURN_IF_ERROR(view->status());
  return FlightText(arguments, view->world(), report, json);
}

}  // namespace thalweg::cli
