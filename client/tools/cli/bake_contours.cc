#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "client/tools/cli/bake_format.h"
#include "client/tools/cli/bake_levels.h"
#include "client/tools/cli/bake_tiles.h"
#include "client/tools/cli/files.h"
#include "client/tools/raster/feature_file.h"
#include "client/tools/raster/raster_source.h"
#include "proto/base/json_text.h"
#include "proto/wire/invalid.h"
#include "proto/wire/status_macros.h"

namespace thalweg::cli {
namespace {

namespace fs = std::filesystem;

// Larger regions need several files: GDAL's generator holds all lines.
constexpr std::int64_t kMaxContourSide = 8193;

// The interval that was asked for; otherwise 1, 2 or 5 times a power of ten, of which about twenty
// are as high as the relief.
double IntervalM(const Baking& baking, const std::vector<std::int32_t>& heights) {
  if (baking.arguments.contour_interval_m) return *baking.arguments.contour_interval_m;
  const auto [lowest, highest] = std::ranges::minmax_element(heights);
  const double relief_m = std::max((static_cast<double>(*highest) - *lowest) / 65536, 1.0);
  const double power = std::pow(10, std::floor(std::log10(relief_m / 20)));
  for (const double times : {1, 2, 5}) {
    if (times * power >= relief_m / 20) return times * power;
  }
  return 10 * power;
}

// How many zooms have lines: coarser ones would be black.
constexpr int kZooms = 5;

// The place of the region on the map of its tiles.
absl::Status PlaceOnMap(const Baking& baking, raster_file::ContourDescription& description) {
  // The circumference of the Earth in EPSG:3857.
  constexpr double kMapM = 40'075'016.685578488;
  THALWEG_ASSIGN_OR_RETURN(const MapPlace map, MapPlaceOf(baking));
  const double scale = kMapM / map.side_m;
  description.place = raster_file::Georeference{.crs = "EPSG:3857"};
  description.spacing *= scale;
  description.east = (description.east - map.west_m) * scale - kMapM / 2;
  description.north = kMapM / 2 - (-description.north - map.north_m) * scale;
  description.tiles = raster_file::Zooms{std::max(map.max_zoom - kZooms + 1, 0), map.max_zoom};
  return absl::OkStatus();
}

absl::StatusOr<raster_file::ContourDescription> DescriptionOf(const Baking& baking) {
  const raster_file::RasterDescription raster = Describe(baking, Layer::kHeight);
  raster_file::ContourDescription description{.path = raster.path,
                                              .name = baking.world.name,
                                              .east = raster.east_m,
                                              .north = -raster.south_m,
                                              .spacing = raster.cell_size_m};
  if (baking.arguments.format->Has("--window")) {
    THALWEG_RETURN_IF_ERROR(PlaceOnMap(baking, description));
  } else if (raster.place) {
    description.place = raster.place;
    description.east = raster.place->east;
    description.north = raster.place->north;
  }
  return description;
}

}  // namespace

LayerLists ContourLayers(const BakeArguments&, const WorldInfo&) { return {{Layer::kHeight}}; }

absl::Status CheckContours(const Baking& baking) {
  for (const std::int64_t side : {baking.area.width, baking.area.height}) {
    if (side >= 2 && side <= kMaxContourSide) continue;
    return wire::Invalid("size",
                         absl::StrCat("2 to ", kMaxContourSide, " vertices on a side for contours"),
                         absl::StrCat(baking.area.width, " x ", baking.area.height,
                                      ": bake a coarser level, or several regions"));
  }
  THALWEG_ASSIGN_OR_RETURN(const raster_file::ContourDescription description,
                           DescriptionOf(baking));
  if (description.tiles) {
    THALWEG_RETURN_IF_ERROR(raster_file::CheckContourTiles());
    if (description.tiles->max > raster_file::kMaxContourZoom) {
      return wire::Invalid(
          "--level",
          absl::StrCat("one of zoom ", raster_file::kMaxContourZoom, " or below for contour-tiles"),
          absl::StrCat(baking.area.level, ", which is zoom ", description.tiles->max));
    }
  }
  // Also without a place, this finds out whether the machine has GDAL.
  THALWEG_RETURN_IF_ERROR(raster_file::CheckPlace(description.place));
  return OutputFile::Create(baking.arguments.out).status();
}

absl::StatusOr<std::vector<std::string>> WriteContours(const Baking& baking,
                                                       const std::vector<BakedLevel>& levels) {
  THALWEG_ASSIGN_OR_RETURN(const BakedGrids grids, ReadGrids(levels.front(), {Layer::kHeight}));
  THALWEG_ASSIGN_OR_RETURN(raster_file::ContourDescription description, DescriptionOf(baking));
  description.interval_m = IntervalM(baking, grids[0].values);
  THALWEG_RETURN_IF_ERROR(
      raster_file::WriteContours(description, grids[0].values, grids[0].width, grids[0].height));
  const raster_file::RasterDescription raster = Describe(baking, Layer::kHeight);
  nlohmann::ordered_json sidecar = {{"file", fs::path(raster.path).filename().string()},
                                    {"interval_m", description.interval_m}};
  AddMetadata(raster, sidecar);
  THALWEG_RETURN_IF_ERROR(
      WriteText(raster.path + ".json", json::TextOf(std::move(sidecar)) + "\n"));
  return std::vector{baking.arguments.out};
}

}  // namespace thalweg::cli
