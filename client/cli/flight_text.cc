#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "client/cli/commands.h"
#include "client/cli/json.h"

namespace thalweg::cli {
namespace {

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
       absl::StrFormat("%s; %d tiles came, %d of them needed",
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
  Line(text, "had already",
       absl::StrFormat("%d of %d told to the server", statistics.tiles_unchanged,
                       statistics.tiles_had));
  Line(text, "failed, damaged",
       absl::StrFormat("%d, %d", statistics.tiles_failed, statistics.tiles_corrupt));
  Line(text, "arrived", ByLevel(report.tiles_by_level));
  Line(text, "drawn at the end", ByLevel(report.drawn_by_level));
  Line(text, "there before needed",
       absl::StrFormat("%d of %d (%.1f %%)", report.in_time, report.needed,
                       100 * PartOf(report.in_time, report.needed)));
  Line(text, "missing for", Three(report.waited_ms, "ms"));
  Line(text, "on disk",
       absl::StrFormat("%d read, %d written, %d damaged, %.1f MB", statistics.disk_reads,
                       statistics.disk_writes, statistics.disk_corrupt,
                       static_cast<double>(statistics.disk_bytes) / 1e6));
  Line(text, "in memory",
       absl::StrFormat("%d, %.1f MB; tolerance x %.3g, %d thrown out", statistics.tiles_in_memory,
                       static_cast<double>(statistics.memory_bytes) / 1e6,
                       statistics.tolerance_scale, statistics.tiles_evicted));
  Line(text, "connections lost", absl::StrCat(statistics.reconnects));
  return text;
}

// Returns one field of all intervals.
template <typename Field>
std::string Series(const FlightReport& report, const char* name, Field field) {
  return absl::StrCat("\"", name, "\":[",
                      absl::StrJoin(report.intervals, ",",
                                    [&](std::string* out, const FlightInterval& interval) {
                                      *out += JsonNumber(static_cast<double>(field(interval)));
                                    }),
                      "]");
}

std::string IntervalsJson(const FlightReport& report) {
  using I = FlightInterval;
  return absl::StrCat("{", Series(report, "begin_s", [](const I& i) { return i.begin_s; }), ",",
                      Series(report, "frames", [](const I& i) { return i.frames; }), ",",
                      Series(report, "complete", [](const I& i) { return i.complete; }), ",",
                      Series(report, "finest", [](const I& i) { return i.finest; }), ",",
                      Series(report, "drawn", [](const I& i) { return i.drawn; }), ",",
                      Series(report, "missing", [](const I& i) { return i.missing; }), ",",
                      Series(report, "finest_level", [](const I& i) { return i.finest_level; }),
                      ",", Series(report, "tiles", [](const I& i) { return i.tiles; }), ",",
                      Series(report, "wire_bytes", [](const I& i) { return i.wire_bytes; }), "}");
}

std::string ThreeJson(const Percentiles& values) {
  return absl::StrCat("{\"p50\":", JsonNumber(values.p50), ",\"p95\":", JsonNumber(values.p95),
                      ",\"max\":", JsonNumber(values.max), "}");
}

std::string StatisticsJson(const TerrainStatistics& s) {
  return absl::StrCat("{\"received\":", s.tiles_received, ",\"wire_bytes\":", s.wire_bytes,
                      ",\"unchanged\":", s.tiles_unchanged, ",\"had\":", s.tiles_had,
                      ",\"failed\":", s.tiles_failed, ",\"corrupt\":", s.tiles_corrupt,
                      ",\"evicted\":", s.tiles_evicted, ",\"disk_reads\":", s.disk_reads,
                      ",\"disk_writes\":", s.disk_writes, ",\"disk_corrupt\":", s.disk_corrupt,
                      ",\"disk_bytes\":", s.disk_bytes, ",\"in_memory\":", s.tiles_in_memory,
                      ",\"memory_bytes\":", s.memory_bytes, ",\"wanted\":", s.tiles_wanted,
                      ",\"missing\":", s.tiles_missing,
                      ",\"tolerance_scale\":", JsonNumber(s.tolerance_scale),
                      ",\"reconnects\":", s.reconnects, "}");
}

// Returns how the camera flew, as members of an object.
std::string WayJson(const FlyArguments& arguments) {
  if (!arguments.path.empty()) {
    return absl::StrCat("\"path\":", JsonString(arguments.path),
                        ",\"speed_m_s\":null,\"height_m\":null");
  }
  return absl::StrCat("\"path\":null,\"speed_m_s\":", JsonNumber(arguments.speed_m_s),
                      ",\"height_m\":", JsonNumber(arguments.height_m));
}

std::string JsonText(const FlyArguments& arguments, const WorldInfo& world,
                     const FlightReport& report) {
  return absl::StrCat(
      "{\"world\":", JsonString(world.name), ",\"world_id\":", JsonString(world.id), ",",
      WayJson(arguments), ",\"flown_s\":", JsonNumber(report.flown_s),
      ",\"flown_m\":", JsonNumber(report.flown_m),
      ",\"first_complete_s\":", JsonNumber(report.first_complete_s), ",\"finest_after_s\":",
      report.finest_after_s < 0 ? "null" : JsonNumber(report.finest_after_s),
      ",\"tiles_after_stop\":", report.tiles_after_stop,
      ",\"needed_after_stop\":", report.needed_after_stop, ",\"needed\":", report.needed,
      ",\"in_time\":", report.in_time, ",\"frames\":", report.frames,
      ",\"complete\":", report.complete, ",\"finest\":", report.finest,
      ",\"finest_share\":", JsonNumber(PartOf(report.finest, report.frames)),
      ",\"cracked\":", report.cracked, ",\"late\":", report.late,
      ",\"frame_us\":", ThreeJson(report.frame_us), ",\"waited_ms\":", ThreeJson(report.waited_ms),
      ",\"wire_share_of_raw\":", JsonNumber(report.wire_share_of_raw), ",\"tiles_by_level\":[",
      absl::StrJoin(report.tiles_by_level, ","), "],\"drawn_by_level\":[",
      absl::StrJoin(report.drawn_by_level, ","), "],\"tiles\":", StatisticsJson(report.statistics),
      ",\"intervals\":", IntervalsJson(report), "}\n");
}

}  // namespace

std::string FlightText(const FlyArguments& arguments, const WorldInfo& world,
                       const FlightReport& report, bool json) {
  return json ? JsonText(arguments, world, report) : TableText(arguments, world, report);
}

}  // namespace thalweg::cli
