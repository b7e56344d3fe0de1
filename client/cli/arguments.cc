#include "client/cli/arguments.h"

#include <CLI/CLI.hpp>
#include <iostream>

#include "client/cli/bake_arguments.h"
#include "client/cli/common_options.h"
#include "client/cli/connection.h"
#include "client/cli/fetch_arguments.h"

namespace thalweg::cli {
namespace {

// Below, too few rivers and waves are there to measure.
constexpr int kLeastSurveySize = 64;
constexpr int kMostSurveySize = 4096;

constexpr char kSurveyFooter[] = R"(What is measured, and what it is about in nature:
  pits, depressions        ground lower than what surrounds it: hardly any outside lakes
  concavity                slope falls with drainage area to this power: 0.4 to 0.6
  Hack's exponent          streams lengthen with the area of their basins to this power: 0.5 to 0.6
  Horton's ratios          of the numbers (3 to 5) and lengths (1.5 to 3) of streams by order
  spectral slope           power falls with the wavenumber to this power: about 3
  power by direction       1 where relief is aligned with no direction
  sectors                  eight directions of waves of a few cells: 0.8 to 1.2 on real land
  sinuosity                way of a river by its chord: 1.16 to 1.22
  curvature skewness       -0.1 to -0.8 in mountains; above 0: gullies in an upland
  landforms                geomorphons: flat, peak, ridge, ... pit
client/survey/README.md says how, and after whom. --json gives shares as 0 to 1.

Example:
  thalweg survey --world alpine --level 4 --x0 0 --y0 0 --size 512
  thalweg survey --raster alps-30m.tif)";

constexpr char kFlyFooter[] =
    R"(A camera flies straight on over the world, as a game's would, at 60 frames a second; nothing is
drawn. Told is what could have been: frames with a complete set of tiles without cracks and those
with less, tiles and bytes, levels, how many tiles were there before they were needed and how long
others were missing. The flight begins once the first
complete set is there; after it the time is taken until the finest one is.

Exit code 1 also if no complete set came in time.

Examples:
  thalweg fly --world alpine --seconds 30 --speed 100
  thalweg fly --world islands --seconds 60 --speed 250 --height 400 --heading 45 \
    --cache ~/.cache/thalweg --picture flight.png --json)";

// Every command talks to a server and can answer in JSON.
void AddCommon(CLI::App& command, Arguments& arguments) {
  AddConnection(command, arguments.connection);
  command.add_flag("--json", arguments.json, "Print the answer as JSON");
}

// What is wrong with a command line that names no known command, or nothing.
std::string UnknownCommand(const CLI::App& app) {
  const std::vector<std::string> rest = app.remaining();
  if (rest.empty() || rest.front().starts_with("-")) return "";
  return "'" + rest.front() +
         "' is no command; there are worlds, info, fetch, bake, survey, fly, health, create-world "
         "and "
         "delete-world";
}

CLI::App* AddSurvey(CLI::App& app, SurveyArguments& survey) {
  CLI::App* command = app.add_subcommand(
      "survey", "Measure a square of a world, or real land: depressions, rivers, spectrum, slopes");
  const std::vector<CLI::Option*> square = {
      AddWorld(*command, survey.world), AddLevel(*command, survey.level),
      AddVertex(*command, "--x0", survey.x0, "I", "West-most vertex of that level"),
      AddVertex(*command, "--y0", survey.y0, "J",
                "North-most vertex of that level; y grows to the south"),
      command->add_option("--size", survey.size, "Cells on a side, 64 to 4096")
          ->type_name("N")
          ->check(CLI::Range(kLeastSurveySize, kMostSurveySize).description(""))};
  CLI::Option* raster =
      command
          ->add_option("--raster", survey.raster,
                       "Measure an elevation model in a file that GDAL reads, instead of a world")
          ->type_name("FILE");
  for (CLI::Option* option : square) raster->excludes(option);
  command->footer(kSurveyFooter);
  command->callback([square, raster] {
    if (raster->count() > 0) return;
    for (CLI::Option* option : square) {
      if (option->count() == 0) throw CLI::RequiredError(option->get_name());
    }
  });
  return command;
}

// A number from `least` to `most`.
CLI::Option* AddNumber(CLI::App& command, const std::string& name, double& value,
                       const std::string& unit, double least, double most,
                       const std::string& text) {
  return command.add_option(name, value, text)
      ->type_name(unit)
      ->check(CLI::Range(least, most).description(""))
      ->capture_default_str();
}

CLI::App* AddFly(CLI::App& app, FlyArguments& fly) {
  CLI::App* command =
      app.add_subcommand("fly", "Fly over a world and tell what a game would have drawn");
  AddWorld(*command, fly.world)->required();
  AddNumber(*command, "--seconds", fly.seconds, "S", 0, 86'400, "How long to fly")->required();
  AddNumber(*command, "--speed", fly.speed_m_s, "M_PER_S", 0, 100'000, "How fast")->required();
  AddNumber(*command, "--height", fly.height_m, "M", 1, 1e6, "How high above the ground");
  AddNumber(*command, "--x", fly.x_m, "M", -1e15, 1e15, "Where to begin, metres east");
  AddNumber(*command, "--y", fly.y_m, "M", -1e15, 1e15, "Where to begin, metres south");
  AddNumber(*command, "--heading", fly.heading_deg, "DEG", -360, 360,
            "Where to, clockwise from north");
  AddNumber(*command, "--range", fly.range_m, "M", 1, 1e7, "How far ground is drawn");
  AddNumber(*command, "--tolerance", fly.tolerance_px, "PX", 0.1, 1'000,
            "By how much drawn ground may be off");
  command->add_option("--viewport", fly.viewport_px, "The picture's height in pixels")
      ->type_name("PX")
      ->check(CLI::Range(1, 65'536).description(""))
      ->capture_default_str();
  AddNumber(*command, "--lookahead", fly.lookahead_s, "S", 0, 60, "How far ahead to fetch");
  command->add_option("--memory", fly.memory_mib, "Memory for tiles, in MiB")
      ->type_name("MIB")
      ->check(CLI::Range(32, 1 << 20).description(""))
      ->capture_default_str();
  command->add_option("--cache", fly.cache, "A folder to keep tiles in (default: none)")
      ->type_name("DIR");
  command->add_flag("--from-finest", fly.from_finest,
                    "Begin when the finest set is there, not the first complete one");
  AddNumber(*command, "--patience", fly.patience_s, "S", 0.1, 86'400,
            "How long to wait for the first complete set, and for the finest at the end");
  command->add_option("--picture", fly.picture, "Draw the levels along the way as PNG")
      ->type_name("FILE");
  command->footer(kFlyFooter);
  return command;
}

CLI::App* AddImport(CLI::App& app, ImportArguments& import, bool& json) {
  CLI::App* command =
      app.add_subcommand("import", "Make a world of real land: an elevation model in a file");
  command
      ->add_option("FILE", import.raster,
                   "A raster of heights in metres that GDAL reads, 64 to 8,192 pixels on a side")
      ->type_name("")
      ->required();
  command
      ->add_option("--out", import.out,
                   "The world's file (default: FILE's name and .json); the land is put beside it")
      ->type_name("JSON");
  command->add_option("--name", import.name, "The world's name (default: FILE's)")
      ->type_name("NAME");
  command
      ->add_option("--blend", import.blend_m,
                   "So far from its edge the raster counts wholly (default: a twelfth of its "
                   "shorter side)")
      ->type_name("M")
      ->check(CLI::Range(0.0, 1e6).description(""));
  command
      ->add_option(
          "--sea-level", import.sea_level_m,
          "Where the sea stands (default: at 0, where a hundredth of the raster is as low)")
      ->type_name("M")
      ->check(CLI::Range(-16000.0, 16000.0).description(""));
  command->add_flag("--json", json, "Print the answer as JSON");
  command->footer(
      "A server finds the world in its folder of worlds (thalwegd serve --worlds DIR). The "
      "raster's levels "
      "have its heights;\nfiner ones go on from them. It must have square pixels in metres: "
      "gdalwarp -t_srs "
      "EPSG:32611 -r cubic -tr 30 30.");
  return command;
}

CLI::App* AddCreateWorld(CLI::App& app, CreateWorldArguments& create) {
  CLI::App* command =
      app.add_subcommand("create-world", "Add a world of one's own to the server's");
  command
      ->add_option("FILE", create.file,
                   "Its specification, as JSON or text; - is the standard input")
      ->required();
  command->add_flag("--keep", create.keep, "Let it outlive the server, in its folder of worlds");
  return command;
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
  CLI::App app("thalweg: fetches terrain from a thalwegd server", "thalweg");
  app.set_version_flag("--version", "thalweg " THALWEG_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Run 'thalweg COMMAND --help' for a command's options. Exit codes: 0 done, 1 failed, "
      "2 wrong usage.");

  CLI::App* worlds_command = app.add_subcommand("worlds", "List the server's worlds");
  CLI::App* info_command = app.add_subcommand("info", "Tell what a world is");
  AddWorld(*info_command, info.world)->required();
  CLI::App* fetch_command = AddFetch(app, fetch);
  CLI::App* bake_command = AddBake(app, bake);
  CLI::App* survey_command = AddSurvey(app, survey);
  CLI::App* import_command = AddImport(app, import, arguments.json);
  CLI::App* fly_command = AddFly(app, fly);
  CLI::App* health_command =
      app.add_subcommand("health", "Tell whether the server is ready: exit code 0 or 1");
  CLI::App* create_command = AddCreateWorld(app, create);
  CLI::App* delete_command = app.add_subcommand("delete-world", "Take a created world away");
  delete_command->add_option("NAME", remove.world, "The world's name, or its id")->required();
  for (CLI::App* command :
       {worlds_command, info_command, fetch_command, bake_command, survey_command, fly_command,
        health_command, create_command, delete_command}) {
    AddCommon(*command, arguments);
  }

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (const std::string unknown = UnknownCommand(app); !unknown.empty()) {
      std::cerr << "thalweg: " << unknown << "\nRun with --help for more information.\n";
      return kExitUsage;
    }
    return app.exit(error) == 0 ? kExitOk : kExitUsage;
  }
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
