#include <unistd.h>

#include <cstdio>
#include <memory>
#include <optional>
#include <utility>

#include "absl/strings/str_format.h"
#include "client/cli/cameras.h"
#include "client/cli/commands.h"
#include "client/cli/flight.h"
#include "client/cli/flight_report.h"
#include "client/cli/planet_path.h"
#include "proto/wire/invalid.h"
#include "proto/wire/status_macros.h"

namespace thalweg::cli {
namespace {

TerrainViewOptions OptionsOf(const FlyArguments& arguments) {
  return {.world = arguments.world,
          .memory_bytes = static_cast<std::size_t>(arguments.memory_mib) << 20,
          .cache_folder = arguments.cache,
          .lookahead_s = arguments.lookahead_s};
}

// Returns the camera for the view's world: with a path on a planet, without one on a plane.
absl::StatusOr<std::unique_ptr<FlightCamera>> CameraOver(const TerrainView& view,
                                                         std::optional<PlanetPath> path,
                                                         const FlyArguments& arguments) {
  const WorldInfo& world = view.world();
  const bool is_planet = world.radius_m > 0;
  if (is_planet && !path) {
    return wire::Invalid(
        "--path", absl::StrCat("a file, since world '", world.name, "' is a planet"), "none");
  }
  if (!is_planet && path) {
    return wire::Invalid("--path", absl::StrCat("none, since world '", world.name, "' is a plane"),
                         arguments.path);
  }
  if (!path) return std::make_unique<PlaneCamera>(view, arguments);
  const auto ground = [&view](const LatLong& place) { return view.HeightAt(place); };
  return std::make_unique<PlanetCamera>(*std::move(path), world.radius_m, ground, arguments);
}

// Prints a line for an interval on a terminal.
void ShowInterval(const FlightInterval& interval) {
  const std::string line = absl::StrFormat(
      "%6.1f s  %3d frames  %3d complete  %3d finest  %5d drawn to level %2d  %4d missing  "
      "%4d tiles  %6.2f MB\n",
      interval.begin_s, interval.frames, interval.complete, interval.finest, interval.drawn,
      interval.finest_level, interval.missing, interval.tiles,
      static_cast<double>(interval.wire_bytes) / 1e6);
  std::fputs(line.c_str(), stderr);
}

}  // namespace

absl::StatusOr<std::string> Fly(Client& client, const FlyArguments& arguments, bool json) {
  std::optional<PlanetPath> path;
  if (!arguments.path.empty()) {
    THALWEG_ASSIGN_OR_RETURN(path, ReadPath(arguments.path));
  }
  THALWEG_ASSIGN_OR_RETURN(const std::unique_ptr<TerrainView> view,
                           TerrainView::Open(client, OptionsOf(arguments)));
  THALWEG_ASSIGN_OR_RETURN(const std::unique_ptr<FlightCamera> camera,
                           CameraOver(*view, std::move(path), arguments));
  FlightProgress progress;
  if (isatty(STDERR_FILENO) == 1) progress = ShowInterval;
  THALWEG_ASSIGN_OR_RETURN(const FlightReport report, FlyView(*view, *camera, arguments, progress));
  if (!arguments.picture.empty()) {
    THALWEG_RETURN_IF_ERROR(WriteFlightPicture(*view, report, arguments.picture));
  }
  THALWEG_RETURN_IF_ERROR(view->status());
  return FlightText(arguments, view->world(), report, json);
}

}  // namespace thalweg::cli
