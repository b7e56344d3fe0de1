#include "client/cli/flight_picture.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "client/cli/output_file.h"
#include "client/picture/label.h"
#include "client/picture/levels.h"
#include "proto/picture/png.h"
#include "proto/wire/status_macros.h"

namespace thalweg::cli {
namespace {

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

}  // namespace

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

}  // namespace thalweg::cli
