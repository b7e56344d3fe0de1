#include "client/tools/cli/arguments.h"

#include <CLI/CLI.hpp>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "client/tools/cli/connection.h"
#include "client/tools/raster/height_unit.h"
#include "proto/command_line/options.h"

namespace thalweg::cli {

using command_line::InRange;

namespace {

// Smaller squares have too few rivers and waves to measure.
constexpr int kMinSurveySize = 64;
constexpr int kMaxSurveySize = 4096;

constexpr char kSurveyFooter[] = R"(What is measured, and its usual values in nature:
  pits, depressions        ground lower than all around it: rare outside lakes
  concavity                slope falls with drainage area to this power: 0.4 to 0.6
  Hack's exponent          streams lengthen with the area of their basins to this power: 0.5 to 0.6
  Horton's ratios          of the numbers (3 to 5) and lengths (1.5 to 3) of streams by order
  spectral slope           power falls with the wavenumber to this power: about 3
  power by direction       1 where the relief has no direction
  sectors                  eight directions of waves of a few cells: 0.8 to 1.2 on real land
  aspects                  1 in each bin where the ground doesn't show its grid
  sinuosity                length of a river divided by its chord: 1.16 to 1.22
  curvature skewness       -0.1 to -0.8 in mountains; above 0: gullies in an upland
  curvature kurtosis       4 to 25 on real land, which is rough in patches; 3 for noise
  landforms                geomorphons: flat, peak, ridge, ... pit
client/tools/survey/README.md describes the methods and their sources. --json prints shares as 0 to 1.

On a planet the square is --size times the shortest side of the level's cells at --at; its rows run
to the east there, and it may lie across edges and corners of the cube's faces.

Example:
  thalweg survey --world alpine --level 4 --x0 0 --y0 0 --size 512
  thalweg survey --world blue-planet --level 8 --at 15,-50 --size 512
  thalweg survey --raster alps-30m.tif)";

constexpr char kFlyFooter[] =
    R"(A camera flies straight ahead over the world at 60 frames a second, as in a game, but nothing is
drawn. The report says how many frames had a complete set of tiles without cracks, which levels they
had, how many tiles and bytes were fetched, how many tiles arrived before they were needed, and how
late the others were. The flight starts when the first complete set has arrived; after it, the
command waits for the finest set and reports how long that took.

On a planet the camera follows a path. --path is a file with a point in each line, and the flight
ends at the last point's time:
  seconds,latitude,longitude,height_m
Times ascend from 0, latitudes and longitudes are in degrees, and heights are in metres above the
ground. From one point to the next the camera takes the shortest way, and its height changes by
equal factors in equal times: a descent from 20 km to 2 km takes as long as one from 20 m to 2 m.
Empty lines and lines that begin with # are skipped.

Exit code 1 also if no complete set arrived in time.

Examples:
  thalweg fly --world alpine --seconds 30 --speed 100
  thalweg fly --world islands --seconds 60 --speed 250 --height 400 --heading 45 \
    --cache ~/.cache/thalweg --picture flight.png --json
  printf '0,46,7,20000000\n60,46.5,8,2\n' > descent.csv
  thalweg fly --world blue-planet --path descent.csv)";

// Every command talks to a server and can answer in JSON.
void AddCommon(CLI::App& command, Arguments& arguments) {
  AddConnection(command, arguments.connection);
  command.add_flag("--json", arguments.json, "Print the answer as JSON");
}

CLI::App* AddSurvey(CLI::App& app, SurveyArguments& survey) {
  CLI::App* command = app.add_subcommand(
      "survey", "Measure the terrain of a square or a file: depressions, rivers, spectrum, slopes");
  AddWorld(*command, survey.world);
  command_line::AddLevel(*command, survey.level);
  command_line::AddCorner(*command, survey.x0, survey.y0);
  AddPlace(*command, "--at",
           "Middle of the square on a planet, in degrees, instead of --x0 and --y0", survey.at);
  command->add_option("--size", survey.size, "Cells on a side, 64 to 4096")
      ->type_name("N")
      ->check(InRange(kMinSurveySize, kMaxSurveySize));
  command
      ->add_option("--raster", survey.raster,
                   "Measure an elevation model in a file that GDAL reads, instead of a world")
      ->type_name("FILE");
  command_line::Exclude(*command, "--raster", "--world --level --x0 --y0 --at --size");
  command_line::Exclude(*command, "--at", "--x0 --y0");
  command->footer(kSurveyFooter);
  command->callback([command] {
    if (command->count("--raster") > 0) return;
    const bool on_planet = command->count("--at") > 0;
    if (command->count("--world") > 0 && !on_planet && command->count("--x0") == 0 &&
        command->count("--y0") == 0) {
      command_line::RefuseOptions(
          "a place is missing: expected --x0 and --y0 on a plane, --at on a planet");
    }
    command_line::RequireAll(
        *command, on_planet ? "--world --level --size" : "--world --level --x0 --y0 --size");
  });
  return command;
}

// Adds an option whose value is a number from `min` to `max`.
CLI::Option* AddNumber(CLI::App& command, const std::string& name, double& value,
                       const std::string& unit, double min, double max, const std::string& text) {
  return command.add_option(name, value, text)
      ->type_name(unit)
      ->check(InRange(min, max))
      ->capture_default_str();
}

CLI::App* AddFly(CLI::App& app, FlyArguments& fly) {
  CLI::App* command = app.add_subcommand(
      "fly", "Fly over a world, and report which tiles a game would have drawn in time");
  AddWorld(*command, fly.world)->required();
  command->add_option("--path", fly.path, "File of the path to fly on a planet, see below")
      ->type_name("FILE");
  AddNumber(*command, "--seconds", fly.seconds, "S", 0, 86'400,
            "Time to fly, required without --path")
      ->default_str("");
  AddNumber(*command, "--speed", fly.speed_m_s, "M_PER_S", 0, 100'000,
            "Speed, required without --path")
      ->default_str("");
  AddNumber(*command, "--height", fly.height_m, "M", 1, 1e6, "Height above the ground");
  const auto add_start = [&](const char* name, std::optional<double>& metres, const char* text) {
    command->add_option(name, metres, text)->type_name("M")->check(InRange(-1e15, 1e15));
  };
  add_start("--x", fly.x_m, "Start, metres to the east (default: what the world shows first)");
  add_start("--y", fly.y_m, "Start, metres to the south, with --x");
  AddNumber(*command, "--heading", fly.heading_deg, "DEG", -360, 360,
            "Direction of the flight, clockwise from north");
  AddNumber(*command, "--range", fly.range_m, "M", 1, 1e7,
            "Max distance of drawn ground; with --path, up to the horizon if that is farther");
  AddNumber(*command, "--tolerance", fly.tolerance_px, "PX", 0.1, 1'000,
            "Max error of drawn ground in the picture");
  command->add_option("--viewport", fly.viewport_px, "Height of the picture in pixels")
      ->type_name("PX")
      ->check(InRange(1, 65'536))
      ->capture_default_str();
  AddNumber(*command, "--lookahead", fly.lookahead_s, "S", 0, 60, "Time to fetch ahead for");
  command->add_option("--memory", fly.memory_mib, "Max memory for tiles, in MiB")
      ->type_name("MIB")
      ->check(InRange(32, 1 << 20))
      ->capture_default_str();
  command->add_option("--cache", fly.cache, "Folder to keep tiles in (default: none)")
      ->type_name("DIR");
  command->add_flag("--from-finest", fly.from_finest,
                    "Start when the finest set of tiles has arrived, not the first complete one");
  AddNumber(*command, "--patience", fly.patience_s, "S", 0.1, 86'400,
            "Max seconds to wait for the first complete set, and for the finest one at the end");
  command->add_option("--picture", fly.picture, "Draw a map of the levels of the tiles, as PNG")
      ->type_name("FILE");
  command_line::Exclude(*command, "--path",
                        "--seconds --speed --height --x --y --heading --picture");
  command_line::Need(*command, "--x", "--y");
  command_line::Need(*command, "--y", "--x");
  command->footer(kFlyFooter);
  command->callback([&fly, command] {
    if (fly.path.empty()) command_line::RequireAll(*command, "--seconds --speed");
  });
  return command;
}

CLI::App* AddImport(CLI::App& app, ImportArguments& import, bool& json) {
  CLI::App* command = app.add_subcommand("import", "Make a world from elevation models in files");
  command
      ->add_option("FILE", import.rasters,
                   "Rasters of heights that GDAL reads, folders and zip archives of them; several "
                   "are merged, and more than 8,192 pixels on a side are averaged")
      ->type_name("")
      ->required();
  command
      ->add_option("--out", import.out,
                   "File of the world (default: the first FILE's name and .json); the land is "
                   "written beside it")
      ->type_name("JSON");
  command->add_option("--name", import.name, "Name of the world (default: the first FILE's)")
      ->type_name("NAME");
  command
      ->add_option("--blend", import.blend_m,
                   "Width of the margin around the raster, in which it blends into the world "
                   "(default: 160 to 512 of its cells, more where it is high and gentle)")
      ->type_name("M")
      ->check(InRange(0.0, 1e6));
  command
      ->add_option(
          "--sea-level", import.sea_level_m,
          "Height of the sea (default: 0 if a hundredth of the raster is that low, else no sea)")
      ->type_name("M")
      ->check(InRange(-16000.0, 16000.0));
  using raster_file::NoData;
  static const std::map<std::string, NoData> kNoData = {
      {"sea", NoData::kSea}, {"hole", NoData::kHole}, {"cut", NoData::kCut}};
  command_line::AddChoice(*command, "--no-data", import.no_data, kNoData, "WHAT",
                          "What missing pixels at the edges become: sea, hole (filled, like those "
                          "inside) or cut (left out) (default: sea where the pixels around them "
                          "are a shore, else cut)");
  command
      ->add_option("--band", import.band,
                   "Band with the heights, from 1 on (default: the only one, the one described as "
                   "elevation, or the first)")
      ->type_name("N")
      ->check(InRange(1, 65535));
  static const std::map<std::string, std::optional<double>> kHeightUnits = {
      {"m", raster_file::HeightUnitNamed("m")->metres},
      {"ft", raster_file::HeightUnitNamed("ft")->metres},
      {"us-ft", raster_file::HeightUnitNamed("us-ft")->metres}};
  command_line::AddChoice(*command, "--height-unit", import.height_unit_m, kHeightUnits, "UNIT",
                          "Unit of the heights: m, ft or us-ft (default: what the file says, "
                          "else m)");
  command
      ->add_option("--step", import.step_m,
                   "Step that heights were rounded to, whose terraces become slopes; 0: none "
                   "(default: what all heights are multiples of)")
      ->type_name("M")
      ->check(InRange(0.0, 100.0));
  command
      ->add_option("--crs", import.crs,
                   "Reference system in metres to convert the raster to (default: its own, or the "
                   "UTM zone of its middle for degrees and Web Mercator)")
      ->type_name("EPSG:N");
  command->add_flag("--json", json, "Print the answer as JSON");
  command->footer(
      "A server finds the world in its folder of worlds (thalwegd serve --worlds DIR). The "
      "raster gives the\nheights of its own level and of coarser ones; finer levels add detail. "
      "Pixels in degrees, rotated or\noblong ones are resampled to square pixels in metres.");
  return command;
}

CLI::App* AddCreateWorld(CLI::App& app, CreateWorldArguments& create) {
  CLI::App* command = app.add_subcommand("create-world", "Create a world on the server");
  command
      ->add_option("FILE", create.file,
                   "File of its specification, as JSON or text; - is standard input")
      ->required();
  command->add_flag("--keep", create.options.keep, "Keep it when the server restarts");
  command->add_flag("--replace", create.options.replace,
                    "Let it take the place of a world of yours with its name and other ground");
  return command;
}

// Adds the world as the only argument; also as the option that other commands have.
void AddWorldName(CLI::App& command, std::string& world) {
  command.add_option("NAME,--world", world, "World by name, or by id in hexadecimal")
      ->type_name("")
      ->required();
}

}  // namespace

std::variant<Arguments, int> ParseArguments(int argc, char** argv) {
  Arguments arguments;
  CreateWorldArguments create;
  DeleteWorldArguments remove;
  InfoArguments info;
  FetchArguments fetch;
  BakeArguments bake;
  SurveyArguments survey;
  ImportArguments import;
  FlyArguments fly;
  CLI::App app("Fetches, bakes, measures and makes the terrain of a thalwegd server.", "thalweg");
  app.set_version_flag("--version", "thalweg " THALWEG_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Run 'thalweg COMMAND --help' for a command's options. Exit codes: 0 done, 1 failed, "
      "2 wrong usage.");

  CLI::App* worlds_command = app.add_subcommand("worlds", "List the server's worlds");
  CLI::App* info_command = app.add_subcommand("info", "Show a world's size, levels and layers");
  AddWorldName(*info_command, info.world);
  info_command->add_flag("--heights", info.heights,
                         "Also how high the land is where the world is shown first, which the "
                         "server may have to compute");
  CLI::App* fetch_command = AddFetch(app, fetch);
  CLI::App* bake_command = AddBake(app, bake);
  CLI::App* survey_command = AddSurvey(app, survey);
  CLI::App* import_command = AddImport(app, import, arguments.json);
  CLI::App* fly_command = AddFly(app, fly);
  CLI::App* health_command =
      app.add_subcommand("health", "Check whether the server is ready: exit code 0 or 1");
  CLI::App* create_command = AddCreateWorld(app, create);
  CLI::App* delete_command = app.add_subcommand("delete-world", "Delete a created world");
  AddWorldName(*delete_command, remove.world);
  for (CLI::App* command :
       {worlds_command, info_command, fetch_command, bake_command, survey_command, fly_command,
        health_command, create_command, delete_command}) {
    AddCommon(*command, arguments);
  }

  if (const auto code = command_line::Parse(app, argc, argv)) return *code;
  if (worlds_command->parsed()) arguments.command = WorldsArguments{};
  if (info_command->parsed()) arguments.command = info;
  if (fetch_command->parsed()) arguments.command = fetch;
  if (bake_command->parsed()) arguments.command = bake;
  if (survey_command->parsed()) arguments.command = survey;
  if (import_command->parsed()) arguments.command = import;
  if (fly_command->parsed()) arguments.command = fly;
  if (health_command->parsed()) arguments.command = HealthArguments{};
  if (create_command->parsed()) arguments.command = create;
  if (delete_command->parsed()) arguments.command = remove;
  return arguments;
}

}  // namespace thalweg::cli
