#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "client/tools/cli/bake_format.h"
#include "client/tools/cli/bake_levels.h"
#include "client/tools/hydrography/lakes.h"
#include "client/tools/hydrography/rivers.h"
#include "client/tools/hydrography/waters.h"
#include "client/tools/raster/feature_file.h"
#include "proto/base/message_text.h"
#include "proto/wire/invalid.h"
#include "proto/wire/status_macros.h"

namespace thalweg::cli {
namespace {

using hydrography::Lake;
using hydrography::Reach;
using hydrography::Waters;
using raster_file::Feature;
using raster_file::FeatureFile;
using raster_file::FeatureFileDescription;
using raster_file::FeaturePoint;
using raster_file::FeatureShape;
using raster_file::FeatureValue;

// Rivers are found over the whole region at once, in memory: 60 bytes a vertex, so up to 4 GB.
constexpr std::int64_t kMaxVectorSide = 8193;

constexpr std::size_t kRivers = 0;
constexpr std::size_t kLakes = 1;

// Min cells that drain to a river: smaller rivers would show the grid, not the land.
constexpr double kMinRiverCells = 1000;

double CellM2(const Baking& baking) {
  const double cell_m = baking.world.CellSizeM(baking.area.level);
  return cell_m * cell_m;
}

double LeastFlowCells(const Baking& baking) {
  const auto& min_km2 = baking.arguments.min_drained_km2;
  return min_km2 ? *min_km2 * 1e6 / CellM2(baking) : kMinRiverCells;
}

FeatureFileDescription DescribeFile(const Baking& baking) {
  const raster_file::RasterDescription raster = Describe(baking, Layer::kHeight);
  FeatureFileDescription file{.path = baking.arguments.out, .layers = {}, .place = raster.place};
  file.layers = {{.name = "rivers",
                  .shape = FeatureShape::kLine,
                  .fields = {{"drained_km2"},
                             {"width_m"},
                             {"order", true},
                             {"height_from_m"},
                             {"height_to_m"},
                             {"length_m"},
                             {"next_fid", true}}},
                 {.name = "lakes",
                  .shape = FeatureShape::kPolygon,
                  .fields = {{"level_m"}, {"area_m2"}, {"max_depth_m"}}}};
  for (const auto& [name, value] : raster.metadata) {
    if (name != "layer") file.metadata.emplace_back(name, value);
  }
  file.metadata.emplace_back("width", absl::StrCat(raster.width));
  file.metadata.emplace_back("height", absl::StrCat(raster.height));
  file.metadata.emplace_back("min_drained_km2",
                             text::Decimal(LeastFlowCells(baking) * CellM2(baking) / 1e6));
  return file;
}

// Converts vertices of the region to the file's reference system.
class GroundMap {
 public:
  explicit GroundMap(const Baking& baking) : cell_m_(baking.world.CellSizeM(baking.area.level)) {
    const raster_file::RasterDescription raster = Describe(baking, Layer::kHeight);
    east_ = raster.place ? raster.place->east : raster.east_m;
    north_ = raster.place ? raster.place->north : -raster.south_m;
  }

  FeaturePoint At(double x, double y, double up = 0) const {
    return {east_ + x * cell_m_, north_ - y * cell_m_, up};
  }

 private:
  double cell_m_;
  double east_ = 0;
  double north_ = 0;
};

absl::StatusOr<Waters> ReadWaters(const Baking& baking, const BakedLevel& level) {
  THALWEG_ASSIGN_OR_RETURN(BakedGrids grids, ReadGrids(level, baking.arguments.layers));
  Waters waters{.cell_m = baking.world.CellSizeM(baking.area.level),
                .height_q16 = std::move(grids[0]),
                .flow_q8 = std::move(grids[1]),
                .sea_level_m = baking.world.sea_level_m};
  if (grids.size() > 2) waters.water_q16 = std::move(grids[2]);
  return waters;
}

absl::Status WriteRivers(const Baking& baking, const std::vector<Reach>& reaches,
                         FeatureFile& file) {
  const GroundMap map(baking);
  const auto width = static_cast<std::int32_t>(baking.area.width);
  for (std::size_t number = 0; number < reaches.size(); ++number) {
    const Reach& reach = reaches[number];
    std::vector<FeaturePoint> line;
    for (std::size_t i = 0; i < reach.vertices.size(); ++i) {
      const std::int32_t vertex = reach.vertices[i];
      const std::int32_t row = vertex / width;
      line.push_back(map.At(vertex % width, row, reach.level_m[i]));
    }
    const double drained_m2 = reach.flow_cells * CellM2(baking);
    const FeatureValue next = reach.next == Reach::kNoReach
                                  ? FeatureValue()
                                  : FeatureValue(static_cast<std::int64_t>(reach.next) + 1);
    THALWEG_RETURN_IF_ERROR(
        file.Add(kRivers, {.id = static_cast<std::int64_t>(number) + 1,
                           .paths = {std::move(line)},
                           .values = {drained_m2 / 1e6, hydrography::RiverWidthM(drained_m2),
                                      std::int64_t{reach.order}, reach.level_m.front(),
                                      reach.level_m.back(), reach.length_m, next}}));
  }
  return absl::OkStatus();
}

absl::Status WriteLakes(const Baking& baking, const hydrography::Lakes& lakes, FeatureFile& file) {
  constexpr double kHalfCell = 0.5;
  const GroundMap map(baking);
  for (std::size_t number = 0; number < lakes.lakes.size(); ++number) {
    const Lake& lake = lakes.lakes[number];
    std::vector<std::vector<FeaturePoint>> rings;
    for (const hydrography::Ring& ring :
         hydrography::Outline(lakes.lake_of, static_cast<std::int32_t>(number), lake.vertices)) {
      auto& points = rings.emplace_back();
      for (const hydrography::Corner& corner : ring) {
        points.push_back(map.At(corner.x - kHalfCell, corner.y - kHalfCell));
      }
    }
    THALWEG_RETURN_IF_ERROR(file.Add(
        kLakes,
        {.id = static_cast<std::int64_t>(number) + 1,
         .paths = std::move(rings),
         .values = {lake.level_m, static_cast<double>(lake.vertices.size()) * CellM2(baking),
                    lake.max_depth_m}}));
  }
  return absl::OkStatus();
}

}  // namespace

LayerLists VectorLayers(const BakeArguments&, const WorldInfo& world) {
  std::vector<Layer> layers = {Layer::kHeight, Layer::kFlow};
  if (world.Has(Layer::kWaterLevel)) layers.push_back(Layer::kWaterLevel);
  return {layers};
}

absl::Status CheckVectors(const Baking& baking) {
  const bake::Area& area = baking.area;
  if (area.width > kMaxVectorSide || area.height > kMaxVectorSide) {
    return wire::Invalid(
        "size", absl::StrCat("max ", kMaxVectorSide, " vertices on a side for gpkg"),
        absl::StrCat(area.width, " x ", area.height, ": bake a coarser level, or several regions"));
  }
  return raster_file::OpenGeoPackage(DescribeFile(baking)).status();
}

absl::StatusOr<std::vector<std::string>> WriteVectors(const Baking& baking,
                                                      const std::vector<BakedLevel>& levels) {
  THALWEG_ASSIGN_OR_RETURN(const Waters waters, ReadWaters(baking, levels.front()));
  const hydrography::Lakes lakes = hydrography::FindLakes(waters);
  const std::vector<Reach> reaches = hydrography::FindRivers(waters, lakes, LeastFlowCells(baking));
  THALWEG_ASSIGN_OR_RETURN(const auto file, raster_file::OpenGeoPackage(DescribeFile(baking)));
  THALWEG_RETURN_IF_ERROR(WriteRivers(baking, reaches, *file));
  THALWEG_RETURN_IF_ERROR(WriteLakes(baking, lakes, *file));
  THALWEG_RETURN_IF_ERROR(file->Finish());
  return std::vector{baking.arguments.out};
}

}  // namespace thalweg::cli
