// The subcommands. Each returns the text to print.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/tools/cli/arguments.h"
#include "client/tools/cli/flight.h"
#include "client/tools/survey/survey.h"
#include "thalweg/client.h"
#include "thalweg/sample.h"
#include "thalweg/world_info.h"

namespace thalweg::cli {

// Returns what `worlds` prints: one line for each world, or a JSON array.
std::string WorldsText(const std::vector<WorldInfo>& worlds, bool json);

// How high the land is where a world is shown first.
struct LandHeights {
  int level = 0;
  double lowest_m = 0;
  double highest_m = 0;
  // Where the highest land is: "5120 m east, -3100 m south", or "latitude 12.50, longitude 40.25".
  std::string peak;
};

// Samples the showplace's square at level 4, or the last one. Errors as Client::SampleHeights.
absl::StatusOr<LandHeights> HeightsOfShowplace(Client& client, const WorldInfo& world);

// Returns what `info` prints: one line for each property, or a JSON object.
std::string InfoText(const WorldInfo& world, bool json,
                     const std::optional<LandHeights>& heights = std::nullopt);

// Returns a place such as "20 N, 35.5 W".
std::string PlaceText(const LatLong& place);

// Asks the server whether it is ready.
absl::StatusOr<std::string> Health(const std::string& server, const ClientOptions& options,
                                   bool json);

// Adds a world from a file.
absl::StatusOr<std::string> CreateWorld(Client& client, const CreateWorldArguments& arguments,
                                        bool json);

// Fetches a region and writes it to its file. Returns an empty text if that is the standard output.
absl::StatusOr<std::string> Fetch(Client& client, const FetchArguments& asked, bool json);

// Fetches and draws a planet from orbit, and writes the picture to its file.
absl::StatusOr<std::string> FetchDisc(Client& client, const FetchArguments& arguments,
                                      const WorldInfo& world, bool json);

// Bakes a region from the servers, separated by commas, and writes a file for each layer.
absl::StatusOr<std::string> Bake(const std::string& servers, const ClientOptions& options,
                                 const BakeArguments& arguments, bool json);

// The land that is surveyed.
struct SurveyedLand {
  // The head of a table, and the first members of a JSON object.
  std::string title;
  std::shared_ptr<const nlohmann::ordered_json> members;
  double cell_size_m = 1;
  std::optional<double> talus_deg;
};

// Returns what `survey` prints: a table, or a JSON object.
std::string SurveyText(const SurveyedLand& land, const survey::Report& report, bool json);

// Describes a square of a plane.
SurveyedLand LandOf(const SurveyArguments& arguments, const WorldInfo& world);

// Measures an elevation model in a file, without a server.
absl::StatusOr<std::string> SurveyRaster(const std::string& path, bool json);

// Makes a world from an elevation model in a file, and writes it.
absl::StatusOr<std::string> Import(const ImportArguments& arguments, bool json);

// Fetches a square and its parent's ground, and measures it.
absl::StatusOr<std::string> Survey(Client& client, const SurveyArguments& arguments, bool json);

// Returns what `fly` prints: a table, or a JSON object.
std::string FlightText(const FlyArguments& arguments, const WorldInfo& world,
                       const FlightReport& report, bool json);

// Flies over a world.
absl::StatusOr<std::string> Fly(Client& client, const FlyArguments& arguments, bool json);

}  // namespace thalweg::cli
