#include "client/survey/survey.h"

#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "client/cli/commands.h"
#include "client/cli/json.h"
#include "client/cli/progress.h"
#include "client/raster/raster_file.h"
#include "proto/wire/invalid.h"
#include "proto/wire/status_macros.h"

namespace thalweg::cli {
namespace {

using survey::Grid;
using survey::SharedVertices;

// Layers that a survey uses in addition to the height, if the world has them.
constexpr Layer kExtraLayers[] = {Layer::kWaterLevel, Layer::kWashLoad, Layer::kUplift};

// Returns the height and those of the extra layers that the world has.
std::vector<Layer> LayersOf(const WorldInfo& world) {
  std::vector<Layer> layers = {Layer::kHeight};
  for (const Layer layer : kExtraLayers) {
    if (world.Has(layer)) layers.push_back(layer);
  }
  return layers;
}

absl::StatusOr<Region> FetchExactly(Client& client, RegionRequest request) {
  request.precision = Precision::kExact;
  ProgressLine line;
  return client.FetchRegion(request,
                            [&line](const RegionProgress& progress) { line.Show(progress); });
}

// Returns a layer in metres; nothing if the region does not have it.
std::optional<Grid<double>> GridOf(const Region& region, Layer layer) {
  for (const RegionPlane& plane : region.planes) {
    if (plane.layer != layer) continue;
    Grid<double> grid{region.width, region.height, {}};
    grid.values.reserve(plane.values.size());
    for (const std::int32_t value : plane.values) grid.values.push_back(value / 65536.0);
    return grid;
  }
  return std::nullopt;
}

// Adds the parent's ground at the vertices that it shares with the region.
absl::Status AddParent(Client& client, const SurveyArguments& arguments, survey::Terrain& terrain) {
  const int vertices = arguments.size + 1;
  const SharedVertices x = survey::ShareWithParent(arguments.x0, vertices);
  const SharedVertices y = survey::ShareWithParent(arguments.y0, vertices);
  THALWEG_ASSIGN_OR_RETURN(const Region parent, FetchExactly(client, {.world = arguments.world,
                                                                      .level = arguments.level - 1,
                                                                      .x0 = x.first,
                                                                      .y0 = y.first,
                                                                      .width = x.count,
                                                                      .height = y.count}));
  terrain.parent_m = GridOf(parent, Layer::kHeight);
  terrain.parent_offset_x = x.offset;
  terrain.parent_offset_y = y.offset;
  return absl::OkStatus();
}

}  // namespace

SurveyedLand LandOf(const SurveyArguments& arguments, const WorldInfo& world) {
  const double cell_size_m = world.CellSizeM(arguments.level);
  const auto level = static_cast<std::size_t>(arguments.level);
  return {absl::StrFormat("%s at level %d: %d x %d cells of %g m from vertex (%d, %d) on",
                          world.name, arguments.level, arguments.size, arguments.size, cell_size_m,
                          arguments.x0, arguments.y0),
          absl::StrCat("\"world\":", JsonString(world.name), ",\"world_id\":", JsonString(world.id),
                       ",\"level\":", arguments.level, ",\"x0\":", arguments.x0,
                       ",\"y0\":", arguments.y0, ",\"size\":", arguments.size),
          cell_size_m, level < world.talus_deg.size() ? world.talus_deg[level] : std::nullopt};
}

absl::StatusOr<std::string> SurveyRaster(const std::string& path, bool json) {
  THALWEG_ASSIGN_OR_RETURN(raster_file::ElevationModel model,
                           raster_file::ReadElevationModel({path}, {.step_m = 0}));
  const survey::Terrain terrain{.ground_m = std::move(model.ground_m),
                                .cell_size_m = model.cell_size_m};
  const survey::Grid<double>& ground_m = terrain.ground_m;
  const SurveyedLand land{
      absl::StrFormat("%s: %d x %d cells of %g m%s%s", path, ground_m.width, ground_m.height,
                      terrain.cell_size_m, model.notes.empty() ? "" : "; ",
                      absl::StrJoin(model.notes, "; ")),
      absl::StrCat("\"raster\":", JsonString(path), ",\"width\":", ground_m.width,
                   ",\"height\":", ground_m.height, ",\"notes\":", JsonStrings(model.notes)),
      terrain.cell_size_m, std::nullopt};
  return SurveyText(land, survey::Measure(terrain), json);
}

absl::StatusOr<std::string> Survey(Client& client, const SurveyArguments& arguments, bool json) {
  THALWEG_ASSIGN_OR_RETURN(const WorldInfo world, client.GetWorld(arguments.world));
  if (world.radius_m > 0) {
    return wire::Invalid("--world", "a plane, whose cells are alike",
                         absl::StrCat("the planet '", world.name, "'"));
  }
  THALWEG_ASSIGN_OR_RETURN(const Region region, FetchExactly(client, {.world = arguments.world,
                                                                      .level = arguments.level,
                                                                      .x0 = arguments.x0,
                                                                      .y0 = arguments.y0,
                                                                      .width = arguments.size + 1,
                                                                      .height = arguments.size + 1,
                                                                      .layers = LayersOf(world)}));
  survey::Terrain terrain{.ground_m = *GridOf(region, Layer::kHeight),
                          .cell_size_m = world.CellSizeM(arguments.level),
                          .sea_level_m = world.sea_level_m,
                          .water_m = GridOf(region, Layer::kWaterLevel),
                          .wash_load_m = GridOf(region, Layer::kWashLoad),
                          .uplift_m = GridOf(region, Layer::kUplift)};
  const SurveyedLand land = LandOf(arguments, world);
  terrain.talus_deg = land.talus_deg;
  if (arguments.level > 0) THALWEG_RETURN_IF_ERROR(AddParent(client, arguments, terrain));
  return SurveyText(land, survey::Measure(terrain), json);
}

}  // namespace thalweg::cli
