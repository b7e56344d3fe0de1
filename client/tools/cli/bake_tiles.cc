#include "client/tools/cli/bake_tiles.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <nlohmann/json.hpp>
#include <numbers>
#include <span>
#include <utility>

#include "absl/strings/str_join.h"
#include "client/tools/bake/part_region.h"
#include "client/tools/cli/bake_format.h"
#include "client/tools/cli/bake_levels.h"
#include "client/tools/raster/tile_archive.h"
#include "proto/base/json_text.h"
#include "proto/base/message_text.h"
#include "proto/picture/ramp.h"
#include "proto/wire/invalid.h"
#include "proto/wire/status_macros.h"
#include "proto/wire/tile_key.h"

namespace thalweg::cli {
namespace {

using bake::Area;
using raster_file::TileArchive;
using wire::kTileCells;
using wire::MapWindow;

using Metadata = std::vector<std::pair<std::string, std::string>>;

// Returns the tile of a vertex; shifts round down.
std::int64_t TileOfVertex(std::int64_t vertex) { return vertex >> wire::kTileBits; }

Area OfTiles(int level, std::int64_t first_x, std::int64_t first_y, std::int64_t last_x,
             std::int64_t last_y) {
  return {level, first_x * kTileCells, first_y * kTileCells, (last_x - first_x + 1) * kTileCells,
          (last_y - first_y + 1) * kTileCells};
}

// Returns the area's north-western and south-eastern tile.
std::pair<wire::TileKey, wire::TileKey> EndsOf(const Area& area) {
  const auto tile = [&](std::int64_t x, std::int64_t y) {
    return wire::TileKey{
        .face = 0, .level = area.level, .x = TileOfVertex(x), .y = TileOfVertex(y)};
  };
  return {tile(area.x0, area.y0), tile(area.x0 + area.width - 1, area.y0 + area.height - 1)};
}

double Level0TileM(const Baking& baking) { return baking.world.CellSizeM(0) * kTileCells; }

absl::StatusOr<MapWindow> WindowOf(const Baking& baking) {
  const WindowArguments& asked_for = baking.arguments.window;
  MapWindow window{.bits = asked_for.bits};
  const auto corner = [&](double centre_m) {
    return wire::WindowCorner(centre_m, asked_for.bits, Level0TileM(baking));
  };
  const auto west = corner(asked_for.centre_east_m);
  const auto north = corner(asked_for.centre_south_m);
  if (!west || !north) {
    return wire::Invalid("--window", "a centre within the plane",
                         absl::StrCat(asked_for.centre_east_m, ",", asked_for.centre_south_m));
  }
  window.west = *west;
  window.north = *north;
  return window;
}

// Returns the same tiles, in the map's columns and rows.
absl::StatusOr<std::pair<wire::TileKey, wire::TileKey>> ZoomedEndsOf(const Baking& baking,
                                                                     const MapWindow& window) {
  const auto [first, last] = EndsOf(baking.area);
  const auto zoomed_first = wire::ZoomedOf(window, first);
  const auto zoomed_last = wire::ZoomedOf(window, last);
  if (zoomed_first && zoomed_last) return std::pair{*zoomed_first, *zoomed_last};
  const double tile_m = Level0TileM(baking);
  const double side_m = std::exp2(window.bits) * tile_m;
  const double west_m = static_cast<double>(window.west) * tile_m;
  const double north_m = static_cast<double>(window.north) * tile_m;
  return absl::InvalidArgumentError(absl::StrCat(
      "the region reaches beyond the map's window, ", west_m, " to ", west_m + side_m,
      " m east and ", north_m, " to ", north_m + side_m, " m south: choose another --window"));
}

// Returns longitude and latitude of a tile's corner, as on web maps.
std::pair<double, double> DegreesOf(int zoom, std::int64_t column, std::int64_t row) {
  const double side = std::exp2(zoom);
  constexpr double kPi = std::numbers::pi;
  const double longitude = static_cast<double>(column) / side * 360 - 180;
  const double latitude =
      std::atan(std::sinh(kPi * (1 - 2 * static_cast<double>(row) / side))) * 180 / kPi;
  return {longitude, latitude};
}

// Returns the region's zooms, and its bounds on the map.
absl::StatusOr<raster_file::ArchiveMetadata> PlaceOf(const Baking& baking) {
  THALWEG_ASSIGN_OR_RETURN(const MapWindow window, WindowOf(baking));
  THALWEG_ASSIGN_OR_RETURN(const auto ends, ZoomedEndsOf(baking, window));
  const auto& [first, last] = ends;
  const auto [west, north] = DegreesOf(first.level, first.x, first.y);
  const auto [east, south] = DegreesOf(last.level, last.x + 1, last.y + 1);
  return raster_file::ArchiveMetadata{window.bits, last.level, {west, south, east, north}};
}

// Returns the rows that MBTiles 1.3 requires, and the bake's own metadata.
absl::StatusOr<Metadata> Describe(const Baking& baking) {
  THALWEG_ASSIGN_OR_RETURN(const MapWindow window, WindowOf(baking));
  THALWEG_ASSIGN_OR_RETURN(const raster_file::ArchiveMetadata place, PlaceOf(baking));
  const auto& [west, south, east, north] = place.bounds;
  const auto numbers = [](const std::vector<double>& values) {
    return absl::StrJoin(values, ",", [](std::string* out, double value) {
      absl::StrAppend(out, text::Decimal(value));
    });
  };
  const double tile_m = Level0TileM(baking);
  Metadata metadata = {{"name", baking.world.name},
                       {"format", "png"},
                       {"bounds", numbers({west, south, east, north})},
                       {"center", numbers({(west + east) / 2, (south + north) / 2,
                                           static_cast<double>(place.max_zoom)})},
                       {"minzoom", absl::StrCat(window.bits)},
                       {"maxzoom", absl::StrCat(place.max_zoom)},
                       {"type", "baselayer"},
                       {"version", absl::StrCat(baking.world.generator_version)},
                       {"description", baking.world.description},
                       {"attribution", "Thalweg"},
                       {"encoding", "terrarium"},
                       // Where a pixel has its height: at its north-western corner.
                       {"registration", "corner"},
                       {"window_bits", absl::StrCat(window.bits)},
                       {"window_m", text::Decimal(std::exp2(window.bits) * tile_m)},
                       {"west_m", text::Decimal(static_cast<double>(window.west) * tile_m)},
                       {"north_m", text::Decimal(static_cast<double>(window.north) * tile_m)},
                       {"width", absl::StrCat(baking.area.width)},
                       {"height", absl::StrCat(baking.area.height)}};
  const auto own = cli::Describe(baking, baking.arguments.layers.front()).metadata;
  metadata.insert(metadata.end(), own.begin(), own.end());
  return metadata;
}

using Archive = absl::StatusOr<std::unique_ptr<TileArchive>>;

Archive OpenMbtiles(const Baking& baking) {
  THALWEG_ASSIGN_OR_RETURN(const Metadata metadata, Describe(baking));
  return raster_file::OpenMbtiles(baking.arguments.out, metadata);
}

Archive OpenPmtiles(const Baking& baking) {
  THALWEG_ASSIGN_OR_RETURN(const Metadata metadata, Describe(baking));
  nlohmann::ordered_json document;
  for (const auto& [name, value] : metadata) document[name] = value;
  THALWEG_ASSIGN_OR_RETURN(const raster_file::ArchiveMetadata place, PlaceOf(baking));
  return raster_file::OpenPmtiles(baking.arguments.out, place, json::TextOf(std::move(document)));
}

// Writes the tiles of a part, which has only whole tiles.
absl::Status WritePartTiles(const MapWindow& window, const Region& part, TileArchive& archive) {
  const std::vector<std::int32_t>& values = part.planes.front().values;
  std::vector<std::int32_t> heights(std::size_t{kTileCells} * kTileCells);
  for (int y = 0; y < part.height; y += kTileCells) {
    for (int x = 0; x < part.width; x += kTileCells) {
      for (int row = 0; row < kTileCells; ++row) {
        const std::ptrdiff_t from = std::ptrdiff_t{y + row} * part.width + x;
        std::copy_n(values.begin() + from, kTileCells,
                    heights.begin() + std::ptrdiff_t{row} * kTileCells);
      }
      const auto zoomed = wire::ZoomedOf(window, {.face = 0,
                                                  .level = part.level,
                                                  .x = TileOfVertex(part.x0 + x),
                                                  .y = TileOfVertex(part.y0 + y)});
      if (!zoomed) return absl::InternalError("a tile is outside the map's window");
      THALWEG_ASSIGN_OR_RETURN(const std::string picture,
                               picture::ElevationPng(heights, kTileCells, picture::TerrariumOf));
      THALWEG_RETURN_IF_ERROR(archive.Add({zoomed->level, zoomed->x, zoomed->y}, picture));
    }
  }
  return absl::OkStatus();
}

// Also refuses layers that are not heights, and a region that leaves the map's window.
absl::Status CheckTiles(const Baking& baking, Archive (*open)(const Baking&)) {
  const std::vector<Layer>& layers = baking.arguments.layers;
  const bool is_height = layers.front() == Layer::kHeight || layers.front() == Layer::kWaterLevel;
  if (layers.size() != 1 || !is_height) {
    return wire::Invalid("--layer", "height or water-level for mbtiles and pmtiles",
                         absl::StrJoin(layers, ",", [](std::string* out, Layer layer) {
                           *out += LayerName(layer);
                         }));
  }
  return open(baking).status();
}

// Writes the tiles of all levels, each with its own level's vertices.
absl::StatusOr<std::vector<std::string>> WriteTiles(const Baking& baking,
                                                    const std::vector<BakedLevel>& levels,
                                                    Archive (*open)(const Baking&)) {
  THALWEG_ASSIGN_OR_RETURN(const MapWindow window, WindowOf(baking));
  THALWEG_ASSIGN_OR_RETURN(const auto archive, open(baking));
  for (const BakedLevel& level : levels) {
    for (const bake::Part& part : level.parts) {
      THALWEG_ASSIGN_OR_RETURN(const Region region, bake::ReadRegion(level.store, part));
      THALWEG_RETURN_IF_ERROR(WritePartTiles(window, region, *archive));
    }
  }
  THALWEG_RETURN_IF_ERROR(archive->Finish());
  return std::vector{baking.arguments.out};
}

}  // namespace

absl::StatusOr<MapPlace> MapPlaceOf(const Baking& baking) {
  THALWEG_ASSIGN_OR_RETURN(const MapWindow window, WindowOf(baking));
  THALWEG_ASSIGN_OR_RETURN(const auto ends, ZoomedEndsOf(baking, window));
  const double tile_m = Level0TileM(baking);
  return MapPlace{static_cast<double>(window.west) * tile_m,
                  static_cast<double>(window.north) * tile_m, std::exp2(window.bits) * tile_m,
                  ends.second.level};
}

Area WholeTiles(const Area& area) {
  const auto [first, last] = EndsOf(area);
  return OfTiles(area.level, first.x, first.y, last.x, last.y);
}

std::vector<Area> AreasOfPyramid(const Baking& baking) {
  const auto [first, last] = EndsOf(baking.area);
  std::vector<Area> areas;
  for (int up = 0; up <= baking.area.level; ++up) {
    areas.push_back(
        OfTiles(baking.area.level - up, first.x >> up, first.y >> up, last.x >> up, last.y >> up));
  }
  return areas;
}

absl::Status CheckMbtiles(const Baking& baking) { return CheckTiles(baking, OpenMbtiles); }
absl::Status CheckPmtiles(const Baking& baking) { return CheckTiles(baking, OpenPmtiles); }

absl::StatusOr<std::vector<std::string>> WriteMbtiles(const Baking& baking,
                                                      const std::vector<BakedLevel>& levels) {
  return WriteTiles(baking, levels, OpenMbtiles);
}

absl::StatusOr<std::vector<std::string>> WritePmtiles(const Baking& baking,
                                                      const std::vector<BakedLevel>& levels) {
  return WriteTiles(baking, levels, OpenPmtiles);
}

}  // namespace thalweg::cli
