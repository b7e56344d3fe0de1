#include <unistd.h>

#include <cstdio>
#include <memory>

#include "absl/strings/str_format.h"
#include "client/cli/commands.h"
#include "client/cli/flight.h"
#include "client/cli/flight_picture.h"
#include "proto/wire/status_macros.h"

namespace thalweg::cli {
namespace {

TerrainViewOptions OptionsOf(const FlyArguments& arguments) {
  return {.world = arguments.world,
          .memory_bytes = static_cast<std::size_t>(arguments.memory_mib) << 20,
          .cache_folder = arguments.cache,
          .lookahead_s = arguments.lookahead_s};
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
  THALWEG_ASSIGN_OR_RETURN(const std::unique_ptr<TerrainView> view,
                           TerrainView::Open(client, OptionsOf(arguments)));
  FlightProgress progress;
  if (isatty(STDERR_FILENO) == 1) progress = ShowInterval;
  THALWEG_ASSIGN_OR_RETURN(const FlightReport report, FlyView(*view, arguments, progress));
  if (!arguments.picture.empty()) {
    THALWEG_RETURN_IF_ERROR(WriteFlightPicture(*view, report, arguments.picture));
  }
  THALWEG_RETURN_IF_ERROR(view->status());
  return FlightText(arguments, view->world(), report, json);
}

}  // namespace thalweg::cli
