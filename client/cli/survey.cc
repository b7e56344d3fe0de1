#include "client/survey/survey.h"

#include <optional>
#include <utility>
#include <vector>

#include "client/cli/commands.h"
#include "client/cli/progress.h"
#include "proto/wire/status_macros.h"

namespace thalweg::cli {
namespace {

using survey::Grid;
using survey::SharedVertices;

// What a survey would like to have beside the height.
constexpr Layer kExtraLayers[] = {Layer::kWaterLevel, Layer::kWashLoad, Layer::kUplift};

// The height and what the world offers of the rest.
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

// A layer in metres; nothing if the region does not have it.
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

absl::StatusOr<std::string> Survey(Client& client, const SurveyArguments& arguments, bool json) {
  THALWEG_ASSIGN_OR_RETURN(const WorldInfo world, client.GetWorld(arguments.world));
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
  const auto level = static_cast<std::size_t>(arguments.level);
  if (level < world.talus_deg.size()) terrain.talus_deg = world.talus_deg[level];
  if (level > 0) THALWEG_RETURN_IF_ERROR(AddParent(client, arguments, terrain));
  return SurveyText(arguments, world, survey::Measure(terrain), json);
}

}  // namespace thalweg::cli
