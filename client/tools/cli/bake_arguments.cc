// The options of `thalweg bake`.
#include <CLI/CLI.hpp>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/numbers.h"
#include "client/tools/cli/arguments.h"
#include "client/tools/cli/bake_format.h"
#include "client/tools/cli/connection.h"
#include "proto/command_line/options.h"
#include "proto/wire/tile_key.h"

namespace thalweg::cli {

using command_line::AddChoice;
using command_line::AddNumbers;
using command_line::InRange;
using command_line::Refuse;
using command_line::RefuseOptions;
using command_line::RequireAll;

namespace {

const std::map<std::string, Engine> kEngines = {{"unity", Engine::kUnity},
                                                {"unreal", Engine::kUnreal}};

const std::map<std::string, OverviewSource> kOverviews = {{"means", OverviewSource::kMeans},
                                                          {"levels", OverviewSource::kLevels}};

const std::map<std::string, raster_file::Compression> kCompressions = {
    {"deflate", raster_file::Compression::kDeflate},
    {"lerc", raster_file::Compression::kLerc},
    {"none", raster_file::Compression::kNone},
    {"zstd", raster_file::Compression::kZstd}};

const std::map<std::string, Texture> kTextures = {{"none", Texture::kNone},
                                                  {"satellite", Texture::kSatellite}};

const std::map<std::string, Whole> kWholes = {{"equirectangular", Whole::kEquirectangular},
                                              {"cube", Whole::kCube}};

// Follows the formats.
constexpr char kBakeFooter[] = R"(
All but mbtiles, pmtiles, raw16, raw32, and glb without --crs, need GDAL on this machine (Debian:
gdal-bin).

A bake fetches parts of 1,024 vertices into the folder FILE.bake, and writes FILE when it has all of
them. If it is stopped, run the same command again: finished parts are kept. Each of several --layer
becomes a file of its own, FILE-LAYER. Where standard error is no terminal, a line says every ten
seconds how far the bake is.

Shards split a bake between machines that share a folder: each runs the same command with --shards N
and its own --shard I (0 to N - 1; the default is SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX or
AWS_BATCH_JOB_ARRAY_INDEX of the environment). When all are done, the same command with --merge
writes FILE.

Planets are baked by --region or --whole, in degrees: 1024 x 2^L pixels around the equator, each with
the value at its middle. GeoTIFFs are in EPSG:4326 if the planet has the Earth's size, else in a
system of its own sphere. --whole cube writes FILE-px, -nx, -py, -ny, -pz and -nz, 256 x 2^L pixels
on a side, as graphics APIs order cube maps: y is the north pole, x latitude and longitude 0. Or
by --face: the vertices of one of the six faces as they are, without georeferencing.

To bake without a server or a network, run `thalwegd bake`, then this command with --from. --from also
reads the parts that --keep-parts or shards left behind.

Examples:
  thalweg bake --world alpine --level 5 --x0 -4100 --y0 -900 --width 4096 --height 4096 --out alps.tif
  thalweg bake --world alpine --level 7 --bounds=-500000,-100000,-450000,-50000 \
    --crs EPSG:32632 --origin 600000,5200000 --out alps.tif
  thalweg bake --world alpine --level 9 --x0 -60000 --y0 -10000 --for unreal --width 8129 --height 8129 \
    --out alps.png
  thalweg bake --world blue-planet --level 6 --region 5,43,16,48 --out region.tif
  thalweg bake --world blue-planet --level 2 --whole equirectangular --out planet.tif)";

// Adds an option whose value is a number of 0 or more.
CLI::Option* AddNumber(CLI::App& command, const std::string& name, const std::string& type_name,
                       const std::string& text, std::optional<double>& number) {
  const auto parse = [name, &number](const std::string& word) {
    double value = -1;
    if (!absl::SimpleAtod(word, &value) || !std::isfinite(value) || value < 0) {
      Refuse(name, "a number of 0 or above", word);
    }
    number = value;
  };
  return command.add_option_function<std::string>(name, parse, text)->type_name(type_name);
}

WindowArguments WindowOf(const std::array<double, 3>& values) {
  const auto bits = static_cast<int>(values[0]);
  if (bits == values[0] && bits >= 0 && bits <= wire::kMaxWindowBits) {
    return {bits, values[1], values[2]};
  }
  Refuse("--window", absl::StrCat("BITS,X,Y with BITS of 0 to ", wire::kMaxWindowBits),
         absl::StrCat("BITS of ", values[0]));
}

// Adds the options that say what is baked.
void AddWhat(CLI::App& command, BakeArguments& bake) {
  AddWorld(command, bake.world);
  command_line::AddLevel(command, bake.level);
  command.add_option("--from", bake.from, "Read parts from this folder, not from a server")
      ->type_name("DIR");
  const auto take_layers = [&bake](const std::vector<std::string>& names) {
    bake.layers.clear();
    for (const std::string& name : names) {
      bake.layers.push_back(command_line::Chosen("--layer", LayersByName(), name));
    }
  };
  command
      .add_option_function<std::vector<std::string>>(
          "--layer", take_layers, "Layers to bake, with commas between (default: height)")
      ->delimiter(',')
      ->type_name("NAME");
  command_line::AddRectangle(command, bake.x0, bake.y0, bake.width, bake.height);
  AddNumbers<4>(
      command, "--bounds", "W,N,E,S",
      "The rectangle in metres instead: west, north, east and south edge; y grows to the south",
      [&bake](const std::array<double, 4>& edges) {
        bake.bounds = Bounds{edges[0], edges[1], edges[2], edges[3]};
      });
  command_line::AddFace(command, bake.face);
  command_line::AddRegion(command, bake.region);
  AddChoice(command, "--whole", bake.whole, kWholes, "equirectangular|cube",
            "The whole planet, as one file or as the six files of a cube map");
}

// Adds the options for the files.
void AddFiles(CLI::App& command, BakeArguments& bake) {
  AddChoice(command, "--format", bake.format, BakeFormatsByName(), BakeFormatNames(),
            "Format of FILE (default: by its name, else cog)");
  AddChoice(
      command, "--overviews", bake.overviews, kOverviews, "means|levels",
      "For cog: overviews from means of 2 x 2 samples, or from coarser levels (default: means)");
  AddChoice(command, "--compress", bake.compression, kCompressions, "deflate|zstd|lerc|none",
            "For cog and geotiff: zstd is quicker than deflate, but browsers and older programs "
            "don't read it (default: deflate)");
  AddChoice(
      command, "--for", bake.engine, kEngines, "unity|unreal",
      "Write what this engine's import dialog asks for; sizes that it can't import are refused");
  command
      .add_option("--tile", bake.tile_side,
                  "Write squares of N vertices on a side that share their edge rows, as "
                  "FILE_x0_y0 and so on, all with the same range")
      ->type_name("N")
      ->check(InRange(2, 65'536));
  AddNumbers<2>(command, "--range", "MIN,MAX",
                "Values that 0 and 65,535 of 16-bit formats stand for, in the layer's unit "
                "(default: the smallest and the largest baked)",
                [&bake](const std::array<double, 2>& range) {
                  bake.range = std::pair{range[0], range[1]};
                });
}

// Adds the options of single formats and of the region.
void AddFormats(CLI::App& command, BakeArguments& bake) {
  AddNumber(command, "--min-drained-km2", "KM2",
            "For gpkg: min area that a river drains (default: 1,000 cells)", bake.min_drained_km2);
  AddNumber(command, "--mesh-error-m", "M",
            "For glb: max distance of a vertex above or below the mesh; 0 keeps all (default: a "
            "quarter of a cell)",
            bake.mesh_error_m);
  command
      .add_option_function<std::string>(
          "--texture",
          [&bake](const std::string& name) {
            bake.texture = command_line::Chosen("--texture", kTextures, name);
          },
          "For glb: the picture on the mesh (default: satellite, if the world has a cover)")
      ->type_name("none|satellite");
  AddNumber(command, "--interval", "M",
            "For contours: metres between lines (default: about 20 lines)",
            bake.contour_interval_m);
  AddNumbers<3>(command, "--window", "BITS,X,Y",
                "For mbtiles, pmtiles and contour-tiles: the map is 2^BITS tiles of level 0 wide, "
                "around X,Y in "
                "metres, as in "
                "tilejson.json (default: 4,0,0)",
                [&bake](const std::array<double, 3>& values) { bake.window = WindowOf(values); });
  command
      .add_option("--crs", bake.crs,
                  "Coordinate reference system of the file, in metres, by its name (default: "
                  "the world's own, if it has one)")
      ->type_name("EPSG:N");
  AddNumbers<2>(command, "--origin", "EAST,NORTH",
                "Position of the north-west vertex in that system, in metres",
                [&bake](const std::array<double, 2>& place) {
                  bake.origin_east = place[0];
                  bake.origin_north = place[1];
                });
}

// Adds the options for the work.
void AddWork(CLI::App& command, BakeArguments& bake) {
  command_line::AddShards(command, bake.shards, bake.shard);
  command.add_flag("--merge", bake.merge, "Write FILE from the parts of all shards");
  command.add_flag("--plan", bake.plan,
                   "Bake a few parts, estimate time and size of the rest, and stop");
  command.add_flag("--keep-parts", bake.keep_parts, "Keep FILE.bake after FILE is written");
  command
      .add_option("--verify", bake.verify, "Only bake N parts of FILE.bake again and compare them")
      ->type_name("N")
      ->check(InRange(1, 1 << 20));
}

// Adds the rules for options that contradict each other, or need each other.
void AddRules(CLI::App& command) {
  static constexpr std::pair<const char*, const char*> kExcluded[] = {
      {"--bounds", "--x0 --y0 --width --height --face"},
      {"--region", "--x0 --y0 --width --height --face --bounds --whole --crs --tile"},
      {"--whole", "--x0 --y0 --width --height --face --bounds --crs --tile"},
      {"--from", "--x0 --y0 --width --height --face --bounds --region --whole"},
      {"--from", "--world --level --layer --overviews --shard --merge"},
      {"--merge", "--shard --plan"},
  };
  for (const auto& [name, others] : kExcluded) command_line::Exclude(command, name, others);
  command_line::Need(command, "--crs", "--origin");
  command_line::Need(command, "--origin", "--crs");
}

// Groups the options in the help. Other options come first.
void AddGroups(CLI::App& command) {
  static constexpr std::pair<const char*, const char*> kGroups[] = {
      {"Region of a plane, or of a planet's face: by vertices, or in metres",
       "--x0 --y0 --width --height --bounds --face"},
      {"Region of a planet, in degrees", "--region --whole"},
      {"File", "--format --overviews --compress --for --tile --range --crs --origin"},
      {"For one format", "--min-drained-km2 --mesh-error-m --texture --interval --window"},
      {"Sharing and resuming the work", "--shards --shard --merge --plan --keep-parts --verify"},
  };
  for (const auto& [title, names] : kGroups) {
    for (CLI::Option* option : command_line::OptionsOf(command, names)) option->group(title);
  }
}

// Refuses options that mean nothing in the format.
void CheckFormat(const CLI::App& command, const BakeArguments& bake) {
  for (const OptionRule& rule : RulesOf(*bake.format)) {
    if (rule.is_refused && command.count(rule.option) > 0) {
      RefuseOptions(absl::StrCat(rule.option, " ", rule.why));
    }
  }
}

// Refuses what the engine's import dialog doesn't offer.
void CheckEngine(const BakeArguments& bake) {
  if (bake.engine == Engine::kAny) return;
  const bool is_unity = bake.engine == Engine::kUnity;
  if (!bake.format->for_engines) {
    Refuse("--format",
           absl::StrCat(kFormatsForEngines, ", which ", is_unity ? "Unity" : "Unreal", " imports"),
           bake.format->name);
  }
  const bool is_picture = !bake.format->IsRaw();
  const bool is_readable =
      is_picture ? bake.out.ends_with(".png")
                 : bake.out.ends_with(".raw") || (!is_unity && bake.out.ends_with(".r16"));
  if (is_readable) return;
  Refuse("--out",
         is_picture ? "a name that ends with .png"
         : is_unity ? "a name that ends with .raw, which Unity reads"
                    : "a name that ends with .raw or .r16, which Unreal reads",
         absl::StrCat("'", bake.out, "'"));
}

void CheckInterval(const BakeArguments& bake) {
  if (!bake.contour_interval_m || *bake.contour_interval_m >= 0.01) return;
  Refuse("--interval", "0.01 m or more", absl::StrCat(*bake.contour_interval_m));
}

void CheckOverviews(const CLI::App& command, const BakeArguments& bake) {
  if (bake.overviews != OverviewSource::kLevels) return;
  for (const char* option : {"--tile", "--region", "--whole"}) {
    if (command.count(option) == 0) continue;
    Refuse("--overviews", absl::StrCat("means with ", option), "levels");
  }
}

void CheckRange(const BakeArguments& bake) {
  if (bake.range && !(bake.range->first < bake.range->second)) {
    Refuse("--range", "MIN,MAX with MIN below MAX",
           absl::StrCat(bake.range->first, ",", bake.range->second));
  }
  const bool has_range = bake.format->sample == raster_file::Sample::kUint16;
  if (bake.whole == Whole::kCube && has_range && !bake.range) {
    RefuseOptions("--range is missing: expected MIN,MAX for the six 16-bit files of --whole cube");
  }
}

// Fills in options that follow from others. Refuses a wrong combination.
void CompleteBake(const CLI::App& command, BakeArguments& bake) {
  if (command.count("--format") == 0) bake.format = &BakeFormatOf(bake.out);
  CheckFormat(command, bake);
  CheckOverviews(command, bake);
  CheckRange(bake);
  CheckInterval(bake);
  CheckEngine(bake);
  if (bake.format->IsOfCover() && command.count("--layer") == 0) bake.layers = {Layer::kCover};
  const bool all_shards = bake.merge || bake.plan;
  if (!all_shards) command_line::CompleteShard(command, bake.shards, bake.shard);
}

}  // namespace

CLI::App* AddBake(CLI::App& app, BakeArguments& bake) {
  CLI::App* command = app.add_subcommand(
      "bake", "Write a region of any size for engines and GIS, from one or many servers");
  command->add_option("--out", bake.out, "File to write")->type_name("FILE")->required();
  AddWhat(*command, bake);
  AddFiles(*command, bake);
  AddFormats(*command, bake);
  AddWork(*command, bake);
  AddRules(*command);
  AddGroups(*command);
  command->footer(absl::StrCat(LayerList(), "\n", BakeFormatHelp(), kBakeFooter));
  command->callback([&bake, command] {
    const auto has = [command](const char* name) { return command->count(name) > 0; };
    if (!has("--from")) RequireAll(*command, "--world --level");
    if (!has("--from") && !has("--bounds") && !has("--region") && !has("--whole")) {
      RequireAll(*command, command_line::kRectangle);
    }
    CompleteBake(*command, bake);
  });
  return command;
}

}  // namespace thalweg::cli
