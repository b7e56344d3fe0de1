#include <algorithm>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "client/tools/cli/commands.h"
#include "client/tools/cli/files.h"
#include "proto/base/json_text.h"
#include "proto/wire/status_macros.h"
#include "thalweg/health.h"

namespace thalweg::cli {
namespace {

using nlohmann::ordered_json;

// More than the largest specification that a server takes.
constexpr std::size_t kMaxSpecBytes = std::size_t{16} << 20;

ordered_json ObjectOf(const WorldInfo& world) {
  ordered_json georeference;
  if (const auto& place = world.georeference) {
    georeference = {{"crs", place->crs}, {"east", place->east}, {"north", place->north}};
  }
  ordered_json layers = ordered_json::array();
  for (const thalweg::Layer layer : world.layers) {
    const LayerDescription& description = DescriptionOf(layer);
    layers.push_back(
        {{"name", description.name}, {"unit", description.unit}, {"scale", description.scale}});
  }
  const auto& sea_m = world.sea_level_m;
  ordered_json object = {
      {"name", world.name},
      {"description", world.description},
      {"id", world.id},
      // A string, because readers of JSON often lose the low bits of 64-bit numbers.
      {"seed", absl::StrCat(world.seed)},
      {"generator_version", world.generator_version},
      {"cell_size_m", world.cell_size_m},
      {"levels", world.levels},
      {"sea_level_m", sea_m ? ordered_json(*sea_m) : ordered_json()},
      {"georeference", std::move(georeference)},
      {"layers", std::move(layers)}};
  if (world.radius_m > 0) object["radius_m"] = world.radius_m;
  object["level_costs"] = world.level_costs;
  object["max_vertex"] = world.max_vertex;
  return object;
}

// Returns a layer's name, unit and meaning.
std::string LayerText(thalweg::Layer layer) {
  const LayerDescription& description = DescriptionOf(layer);
  return absl::StrFormat("%-15s  %-5s  %s", std::string(description.name),
                         std::string(description.unit), std::string(description.text));
}

// The cost of a tile whose parent is kept: of level 0, and of the finer levels.
std::string CostText(const std::vector<std::int64_t>& costs) {
  std::string text = absl::StrCat(costs.front(), " cells at level 0");
  if (costs.size() == 1) return text;
  const auto [least, most] = std::minmax_element(costs.begin() + 1, costs.end());
  absl::StrAppend(&text, ", ", *least);
  if (*least < *most) absl::StrAppend(&text, " to ", *most);
  absl::StrAppend(&text, " at each finer level (an ordinary tile: 65536)");
  return text;
}

// A grid over a square whose side and middle are in metres, or in degrees of a planet.
template <typename Make>
auto GridOver(double side, const Make& make) {
  // Three calls; a peak is seen to within a hundredth of the side.
  constexpr int kSide = 150;
  std::vector<decltype(make(0.0, 0.0))> points;
  for (int y = 0; y < kSide; ++y) {
    for (int x = 0; x < kSide; ++x) {
      points.push_back(make(side * (x - kSide / 2) / kSide, side * (y - kSide / 2) / kSide));
    }
  }
  return points;
}

// The lowest and the highest of some heights, and where that is.
template <typename Point, typename Describe>
LandHeights HeightsOf(int level, const std::vector<std::int32_t>& heights,
                      const std::vector<Point>& points, const Describe& describe) {
  const auto [lowest, highest] = std::ranges::minmax_element(heights);
  const double unit_m = DescriptionOf(thalweg::Layer::kHeight).scale;
  return {.level = level,
          .lowest_m = *lowest * unit_m,
          .highest_m = *highest * unit_m,
          .peak = describe(points[static_cast<std::size_t>(highest - heights.begin())])};
}

}  // namespace

absl::StatusOr<LandHeights> HeightsOfShowplace(Client& client, const WorldInfo& world) {
  const int level = std::min(4, world.levels - 1);
  const Showplace& shown = world.showplace;
  if (world.radius_m > 0) {
    constexpr double kDegreesPerRadian = 57.29577951308232;
    const double side = shown.side_m / world.radius_m * kDegreesPerRadian;
    const auto points = GridOver(std::min(side, 180.0), [&](double east, double south) {
      return LatLong{.latitude = std::clamp(shown.place.latitude - south, -90.0, 90.0),
                     .longitude = std::remainder(shown.place.longitude + east, 360)};
    });
    THALWEG_ASSIGN_OR_RETURN(const std::vector<std::int32_t> heights,
                             client.SamplePlanetHeights(world.name, level, points));
    return HeightsOf(level, heights, points, [](const LatLong& at) {
      return absl::StrFormat("latitude %.2f, longitude %.2f", at.latitude, at.longitude);
    });
  }
  const auto points = GridOver(shown.side_m, [&](double east, double south) {
    return GroundPoint{.east_m = shown.east_m + east, .south_m = shown.south_m + south};
  });
  THALWEG_ASSIGN_OR_RETURN(const std::vector<std::int32_t> heights,
                           client.SampleHeights(world.name, level, points));
  return HeightsOf(level, heights, points, [](const GroundPoint& at) {
    return absl::StrFormat("%.0f m east, %.0f m south", at.east_m, at.south_m);
  });
}

absl::StatusOr<std::string> CreateWorld(Client& client, const CreateWorldArguments& arguments,
                                        bool json) {
  THALWEG_ASSIGN_OR_RETURN(const std::string specification,
                           ReadInputFile(arguments.file, kMaxSpecBytes));
  THALWEG_ASSIGN_OR_RETURN(const CreatedWorld created,
                           client.CreateWorld(specification, arguments.options));
  const WorldInfo& world = created.world;
  for (const std::string& warning : created.warnings) {
    absl::FPrintF(stderr, "thalweg: warning: %s\n", warning);
  }
  if (json) {
    return json::TextOf({{"created", created.is_new},
                         {"replaced", created.has_replaced},
                         {"name", world.name},
                         {"id", world.id}}) +
           "\n";
  }
  const char* const done = created.is_new
                               ? (created.has_replaced ? "replaced " : "created ")
                               : (created.has_replaced ? "changed " : "already exists: ");
  return absl::StrCat(done, world.name, "  ", world.id, "\n");
}

absl::StatusOr<std::string> Health(const std::string& server, const ClientOptions& options,
                                   bool json) {
  THALWEG_RETURN_IF_ERROR(CheckHealth(server, std::chrono::seconds(3), options.tls));
  return json ? json::TextOf({{"serving", true}}) + "\n" : server + " is serving\n";
}

std::string WorldsText(const std::vector<WorldInfo>& worlds, bool json) {
  if (json) {
    // A world a line, for tools that read lines.
    const auto append = [](std::string* text, const WorldInfo& world) {
      absl::StrAppend(text, json::TextOf(ObjectOf(world)));
    };
    return absl::StrCat("[", absl::StrJoin(worlds, ",\n ", append), "]\n");
  }
  std::size_t width = 0;
  for (const WorldInfo& world : worlds) width = std::max(width, world.name.size());
  std::string text;
  for (const WorldInfo& world : worlds) {
    absl::StrAppend(&text, world.name, std::string(width + 2 - world.name.size(), ' '),
                    world.description, "\n");
  }
  return text;
}

std::string InfoText(const WorldInfo& world, bool json, const std::optional<LandHeights>& heights) {
  if (json) {
    ordered_json object = ObjectOf(world);
    if (heights) {
      object["heights"] = {{"level", heights->level},
                           {"lowest_m", json::Rounded(heights->lowest_m, 2)},
                           {"highest_m", json::Rounded(heights->highest_m, 2)},
                           {"peak", heights->peak}};
    }
    return json::TextOf(std::move(object)) + "\n";
  }
  std::string text;
  const auto line = [&text](const char* name, const std::string& value) {
    absl::StrAppendFormat(&text, "%-12s %s\n", name, value);
  };
  line("name", world.name);
  if (!world.description.empty()) line("description", world.description);
  line("id", world.id);
  line("seed", absl::StrCat(world.seed));
  line("generator", absl::StrCat("version ", world.generator_version));
  const int finest = std::max(world.levels - 1, 0);
  line("levels", absl::StrFormat("0 to %d", finest));
  line("cells", absl::StrFormat("%g m at level 0, %g m at level %d", world.cell_size_m,
                                world.CellSizeM(finest), finest));
  line("sea level", world.sea_level_m ? absl::StrFormat("%g m", *world.sea_level_m) : "none");
  if (world.georeference) {
    const Georeference& place = *world.georeference;
    line("place", absl::StrFormat("vertex 0, 0 at %.10g east, %.10g north in %s", place.east,
                                  place.north, place.crs));
  }
  if (world.radius_m > 0) {
    line("planet", absl::StrFormat("a sphere of %.10g m radius", world.radius_m));
    line("vertices", absl::StrFormat("0 to %d x 2^level on each of 6 faces", kTileCells));
  } else {
    line("vertices",
         absl::StrFormat("%d to %d at every level", -world.max_vertex, world.max_vertex));
  }
  if (heights) {
    line("heights",
         absl::StrFormat(
             "%.0f to %.0f m where the world is shown first (level %d); the highest at %s",
             heights->lowest_m, heights->highest_m, heights->level, heights->peak));
  }
  if (!world.level_costs.empty()) line("a tile costs", CostText(world.level_costs));
  for (std::size_t i = 0; i < world.layers.size(); ++i) {
    line(i == 0 ? "layers" : "", LayerText(world.layers[i]));
  }
  return text;
}

}  // namespace thalweg::cli
