#include "client/tools/survey/survey.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <numbers>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "client/tools/cli/commands.h"
#include "client/tools/cli/progress.h"
#include "client/tools/globe/square.h"
#include "client/tools/raster/raster_file.h"
#include "proto/geometry/cube_sphere.h"
#include "proto/wire/invalid.h"
#include "proto/wire/status_macros.h"
#include "proto/wire/tile_key.h"
#include "thalweg/planet.h"

namespace thalweg::cli {
namespace {

using globe::FaceGrid;
using globe::FaceVertices;
using globe::Square;
using nlohmann::ordered_json;
using survey::Grid;
using survey::SharedVertices;

// Layers that a survey uses in addition to the height, if the world has them.
constexpr Layer kExtraLayers[] = {Layer::kWaterLevel, Layer::kWashLoad, Layer::kUplift};

// The longest side of a square on a planet, in degrees: distances in it are off by 2 % at most.
constexpr double kMostDegrees = 30;

// Returns the height and those of the extra layers that the world has.
std::vector<Layer> SurveyedLayers(const WorldInfo& world) {
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

// A level's heights at a rectangle of vertices, and what they are in the parent level.
struct WithParent {
  const Grid<double>& ground_m;
  // The parent's ground at shared vertices. Its first vertex is the child's at the offset.
  Grid<double> parent_m;
  SharedVertices x;
  SharedVertices y;
};

// `request`: of the child. Its rectangle has a vertex of the parent.
absl::StatusOr<WithParent> FetchParent(Client& client, const RegionRequest& request,
                                       const Grid<double>& ground_m) {
  const SharedVertices x = survey::ShareWithParent(request.x0, request.width);
  const SharedVertices y = survey::ShareWithParent(request.y0, request.height);
  THALWEG_ASSIGN_OR_RETURN(const Region parent, FetchExactly(client, {.world = request.world,
                                                                      .level = request.level - 1,
                                                                      .face = request.face,
                                                                      .x0 = x.first,
                                                                      .y0 = y.first,
                                                                      .width = x.count,
                                                                      .height = y.count}));
  return WithParent{ground_m, *GridOf(parent, Layer::kHeight), x, y};
}

std::vector<double> Differences(const WithParent& ground) {
  return survey::SubtractParent(ground.ground_m, ground.parent_m, ground.x.offset, ground.y.offset);
}

absl::Status Misplaced(const SurveyArguments& arguments, const WorldInfo& world) {
  if (arguments.at) {
    return wire::Excluded("--at",
                          absl::StrCat("world '", world.name, "' is a plane: use --x0 and --y0"));
  }
  return wire::Excluded("--x0", absl::StrCat("world '", world.name, "' is a planet: use --at"));
}

// A square of a plane.
absl::StatusOr<survey::Terrain> FetchTerrain(Client& client, const SurveyArguments& arguments,
                                             const WorldInfo& world) {
  const RegionRequest request{.world = arguments.world,
                              .level = arguments.level,
                              .x0 = arguments.x0,
                              .y0 = arguments.y0,
                              .width = arguments.size + 1,
                              .height = arguments.size + 1,
                              .layers = SurveyedLayers(world)};
  THALWEG_ASSIGN_OR_RETURN(const Region region, FetchExactly(client, request));
  survey::Terrain terrain{.ground_m = *GridOf(region, Layer::kHeight),
                          .cell_size_m = world.CellSizeM(arguments.level),
                          .sea_level_m = world.sea_level_m,
                          .water_m = GridOf(region, Layer::kWaterLevel),
                          .wash_load_m = GridOf(region, Layer::kWashLoad),
                          .uplift_m = GridOf(region, Layer::kUplift)};
  if (arguments.level == 0) return terrain;
  THALWEG_ASSIGN_OR_RETURN(const WithParent parent, FetchParent(client, request, terrain.ground_m));
  terrain.parent_difference = survey::DifferenceOf(Differences(parent));
  return terrain;
}

// A square of a planet, and the sides of the level's cells in its middle.
struct PlanetSquare {
  Square square;
  globe::CellSides cells;
};

absl::StatusOr<PlanetSquare> SquareOf(const SurveyArguments& arguments, const WorldInfo& world) {
  const SpaceVector middle = SpacePointOf(*arguments.at, 1);
  const SpaceVector east = CompassAt(middle).east;
  const sphere::Vector place{middle.x, middle.y, middle.z};
  const globe::CellSides cells = globe::CellSidesAt(place, arguments.level, world.radius_m);
  const double longest_m = kMostDegrees * std::numbers::pi / 180 * world.radius_m;
  if (arguments.size * cells.shortest_m > longest_m) {
    return wire::Invalid(
        "--size",
        absl::StrCat("at most ", std::floor(longest_m / cells.shortest_m), " at level ",
                     arguments.level, ", a square of ", kMostDegrees, " degrees"),
        arguments.size);
  }
  return PlanetSquare{
      Square(place, {east.x, east.y, east.z}, arguments.size + 1, cells.shortest_m, world.radius_m),
      cells};
}

// Returns a layer of each region; empty if they do not have it.
std::vector<FaceGrid> GridsOf(const std::vector<Region>& regions, Layer layer) {
  std::vector<FaceGrid> grids;
  for (const Region& region : regions) {
    std::optional<Grid<double>> grid = GridOf(region, layer);
    if (!grid) return {};
    grids.push_back(
        {{region.face, region.x0, region.y0, region.width, region.height}, *std::move(grid)});
  }
  return grids;
}

// Returns the differences at those of the vertices that lie in the square.
std::vector<double> DifferencesIn(const Square& square, const RegionRequest& request,
                                  const WithParent& ground) {
  const std::vector<double> all = Differences(ground);
  const auto cells = static_cast<double>(std::int64_t{wire::kTileCells} << (request.level - 1));
  std::vector<double> inside;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto column = static_cast<std::int64_t>(i) % ground.x.count;
    const auto row = static_cast<std::int64_t>(i) / ground.x.count;
    const sphere::FacePlace place{request.face,
                                  static_cast<double>(ground.x.first + column) / cells,
                                  static_cast<double>(ground.y.first + row) / cells};
    if (square.Contains(sphere::PointOf(place))) inside.push_back(all[i]);
  }
  return inside;
}

// A square of a planet. Each face that it touches is fetched by itself.
absl::StatusOr<survey::Terrain> FetchOnPlanet(Client& client, const SurveyArguments& arguments,
                                              const WorldInfo& world, const PlanetSquare& planet) {
  const auto& [square, cells] = planet;
  std::vector<RegionRequest> requests;
  std::vector<Region> regions;
  for (const FaceVertices& face : globe::VerticesUnder(square, arguments.level)) {
    requests.push_back({.world = arguments.world,
                        .level = arguments.level,
                        .face = face.face,
                        .x0 = face.x0,
                        .y0 = face.y0,
                        .width = face.width,
                        .height = face.height,
                        .layers = SurveyedLayers(world)});
    THALWEG_ASSIGN_OR_RETURN(regions.emplace_back(), FetchExactly(client, requests.back()));
  }
  const std::vector<FaceGrid> ground_m = GridsOf(regions, Layer::kHeight);
  survey::Terrain terrain{.ground_m = globe::SmoothSamples(square, arguments.level, ground_m),
                          .cell_size_m = square.spacing_m(),
                          .wave_unit_m = cells.longest_m,
                          .sea_level_m = world.sea_level_m};
  if (world.Has(Layer::kWaterLevel)) {
    terrain.water_m = globe::WaterSamples(
        square, arguments.level, GridsOf(regions, Layer::kWaterLevel), ground_m, terrain.ground_m);
  }
  const auto linear = [&](Layer layer) -> std::optional<Grid<double>> {
    if (!world.Has(layer)) return std::nullopt;
    return globe::LinearSamples(square, arguments.level, GridsOf(regions, layer));
  };
  terrain.wash_load_m = linear(Layer::kWashLoad);
  terrain.uplift_m = linear(Layer::kUplift);
  if (arguments.level == 0) return terrain;
  std::vector<double> differences;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    THALWEG_ASSIGN_OR_RETURN(const WithParent parent,
                             FetchParent(client, requests[i], ground_m[i].values));
    std::ranges::copy(DifferencesIn(square, requests[i], parent), std::back_inserter(differences));
  }
  terrain.parent_difference = survey::DifferenceOf(differences);
  return terrain;
}

std::optional<double> TalusOf(const WorldInfo& world, int level) {
  const auto at = static_cast<std::size_t>(level);
  return at < world.talus_deg.size() ? world.talus_deg[at] : std::nullopt;
}

// Describes a square of a planet.
SurveyedLand LandOf(const SurveyArguments& arguments, const WorldInfo& world,
                    const PlanetSquare& planet) {
  const auto& [square, cells] = planet;
  return {
      absl::StrFormat("%s at level %d: %d x %d samples, %.6g m apart, around %s (cells of %.6g x "
                      "%.6g m)",
                      world.name, arguments.level, square.side(), square.side(), square.spacing_m(),
                      PlaceText(*arguments.at), cells.shortest_m, cells.longest_m),
      std::make_shared<ordered_json>(
          ordered_json{{"world", world.name},
                       {"world_id", world.id},
                       {"level", arguments.level},
                       {"latitude_deg", arguments.at->latitude},
                       {"longitude_deg", arguments.at->longitude},
                       {"size", arguments.size},
                       {"cell_sides_m", {cells.shortest_m, cells.longest_m}}}),
      square.spacing_m(), TalusOf(world, arguments.level)};
}

}  // namespace

SurveyedLand LandOf(const SurveyArguments& arguments, const WorldInfo& world) {
  const double cell_size_m = world.CellSizeM(arguments.level);
  return {absl::StrFormat("%s at level %d: %d x %d cells of %g m from vertex (%d, %d) on",
                          world.name, arguments.level, arguments.size, arguments.size, cell_size_m,
                          arguments.x0, arguments.y0),
          std::make_shared<ordered_json>(ordered_json{{"world", world.name},
                                                      {"world_id", world.id},
                                                      {"level", arguments.level},
                                                      {"x0", arguments.x0},
                                                      {"y0", arguments.y0},
                                                      {"size", arguments.size}}),
          cell_size_m, TalusOf(world, arguments.level)};
}

absl::StatusOr<std::string> SurveyRaster(const std::string& path, bool json) {
  THALWEG_ASSIGN_OR_RETURN(raster_file::ElevationModel model,
                           raster_file::ReadElevationModel({path}, {.step_m = 0}));
  const survey::Terrain terrain{.ground_m = std::move(model.ground_m),
                                .cell_size_m = model.cell_size_m};
  const Grid<double>& ground_m = terrain.ground_m;
  const SurveyedLand land{
      absl::StrFormat("%s: %d x %d cells of %g m%s%s", path, ground_m.width, ground_m.height,
                      terrain.cell_size_m, model.notes.empty() ? "" : "; ",
                      absl::StrJoin(model.notes, "; ")),
      std::make_shared<ordered_json>(ordered_json{{"raster", path},
                                                  {"width", ground_m.width},
                                                  {"height", ground_m.height},
                                                  {"notes", model.notes}}),
      terrain.cell_size_m, std::nullopt};
  return SurveyText(land, survey::Measure(terrain), json);
}

absl::StatusOr<std::string> Survey(Client& client, const SurveyArguments& arguments, bool json) {
  THALWEG_ASSIGN_OR_RETURN(const WorldInfo world, client.GetWorld(arguments.world));
  if ((world.radius_m > 0) != arguments.at.has_value()) return Misplaced(arguments, world);
  const auto measured = [json](const SurveyedLand& land, survey::Terrain terrain) {
    terrain.talus_deg = land.talus_deg;
    return SurveyText(land, survey::Measure(terrain), json);
  };
  if (!arguments.at) {
    THALWEG_ASSIGN_OR_RETURN(survey::Terrain terrain, FetchTerrain(client, arguments, world));
    return measured(LandOf(arguments, world), std::move(terrain));
  }
  THALWEG_ASSIGN_OR_RETURN(const PlanetSquare planet, SquareOf(arguments, world));
  THALWEG_ASSIGN_OR_RETURN(survey::Terrain terrain,
                           FetchOnPlanet(client, arguments, world, planet));
  return measured(LandOf(arguments, world, planet), std::move(terrain));
}

}  // namespace thalweg::cli
