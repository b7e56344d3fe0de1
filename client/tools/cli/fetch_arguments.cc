// The options of `thalweg fetch`.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "client/tools/cli/arguments.h"
#include "client/tools/cli/connection.h"
#include "proto/command_line/options.h"
#include "thalweg/region.h"

namespace thalweg::cli {

using command_line::AddChoice;
using command_line::Refuse;
using command_line::RefuseOptions;

namespace {

// Sizes of pictures from orbit: larger ones would take thousands of tiles.
constexpr int kMinDiscSize = 16;
constexpr int kMaxDiscSize = 4096;

const std::map<std::string, FetchFormat> kFormats = {{"hillshade", FetchFormat::kHillshade},
                                                     {"satellite", FetchFormat::kSatellite},
                                                     {"png16", FetchFormat::kPng16},
                                                     {"i32", FetchFormat::kI32}};

// The endings of the names of a format's files.
const std::map<FetchFormat, std::vector<std::string>> kEndings = {
    {FetchFormat::kHillshade, {".png"}},
    {FetchFormat::kSatellite, {".png"}},
    {FetchFormat::kPng16, {".png"}},
    {FetchFormat::kI32, {".i32", ".raw", ".bin"}}};

constexpr char kFetchFooter[] = R"(Formats:
  hillshade  shaded relief as PNG, with a label and a scale bar
  satellite  the land as it looks from above: its cover in the same light
  png16      16-bit grey PNG, linear; its text chunks hold the values of black and white
             (normals: 16-bit RGB for east, north and up, -1 to 1)
  i32        raw 32-bit little-endian integers, rows from north to south, exact
             (metres, densities and tangents in 1/65536, cells in 1/256, directions in
             1/65536 of a turn; a normal has east in its low 16 bits and south in its high
             ones, in 1/32767)

Without --level, --x0 and --y0 the square is the one that the world shows first; with only --level,
it has the same middle.

A planet has the six faces of a cube. --face says which one the square is on; its vertices are 0 to
256 x 2^L at level L, from west to east and from north to south.

Examples:
  thalweg fetch --world canyons --format satellite --out canyons.png
  thalweg fetch --world alpine --level 5 --x0 0 --y0 0 --size 1024 --out alpine.png
  thalweg fetch --world alpine --level 8 --x0 -4096 --y0 512 --size 513 --format i32 --out h.i32
  thalweg fetch --world blue-planet --disc 20,-40 --format satellite --out planet.png
  thalweg fetch --world blue-planet --face 2 --level 2 --x0 0 --y0 0 --size 1025 --out north.png)";

// Takes the format from the ending of the file's name if no option gives it. Refuses an ending of
// other formats. The standard output and most pipes have none.
void CompleteFormat(const CLI::App& command, FetchArguments& fetch) {
  const std::string ending =
      absl::AsciiStrToLower(std::filesystem::path(fetch.out).extension().string());
  if (ending.empty()) return;
  const auto has_ending = [&ending](const auto& row) {
    return std::ranges::find(row.second, ending) != row.second.end();
  };
  if (command.count("--format") == 0) {
    const auto named = std::ranges::find_if(kEndings, has_ending);
    if (named != kEndings.end()) fetch.format = named->first;
  }
  const auto& row = *kEndings.find(fetch.format);
  if (has_ending(row)) return;
  Refuse("--out", absl::StrCat("a name that ends with ", absl::StrJoin(row.second, " or ")),
         absl::StrCat("'", fetch.out, "'"));
}

// Checks the options of a picture from orbit.
void CheckDisc(const FetchArguments& fetch) {
  if (fetch.format == FetchFormat::kPng16 || fetch.format == FetchFormat::kI32) {
    Refuse("--format", "hillshade or satellite with --disc",
           fetch.format == FetchFormat::kPng16 ? "png16" : "i32");
  }
  if (fetch.size < kMinDiscSize || fetch.size > kMaxDiscSize) {
    Refuse("--size", absl::StrCat(kMinDiscSize, " to ", kMaxDiscSize, " with --disc"),
           absl::StrCat(fetch.size));
  }
}

}  // namespace

CLI::App* AddFetch(CLI::App& app, FetchArguments& fetch) {
  CLI::App* command =
      app.add_subcommand("fetch", "Fetch a square of a world as a picture or as numbers");
  AddWorld(*command, fetch.world)->required();
  command->add_option("--out", fetch.out, "File to write; - is standard output")
      ->type_name("FILE")
      ->required();
  command_line::AddLevel(*command, fetch.level);
  command_line::AddCorner(*command, fetch.x0, fetch.y0);
  command_line::AddFace(*command, fetch.face);
  AddPlace(*command, "--disc",
           "Picture of a planet from orbit instead, with this position in the middle, in degrees",
           fetch.disc);
  command->add_option("--size", fetch.size, "Vertices on a side, 1 to 16384 (default: 1024)")
      ->type_name("N")
      ->check(command_line::InRange(1, kMaxRegionSide));
  AddChoice(*command, "--layer", fetch.layer, LayersByName(), "NAME",
            "Layer to fetch, see below (default: height)");
  AddChoice(*command, "--format", fetch.format, kFormats, "hillshade|satellite|png16|i32",
            "Format of FILE (default: by its name, else hillshade)");
  command->add_flag("--rivers", fetch.rivers, "Draw rivers over a hillshade of the height");
  command->add_flag("--no-label", fetch.no_label, "Leave the label out of a picture");
  // Without these options, the showplace decides the square.
  command_line::Need(*command, "--x0", "--level --y0");
  command_line::Need(*command, "--y0", "--level --x0");
  command_line::Need(*command, "--face", "--x0 --y0");
  command_line::Exclude(*command, "--disc", "--level --x0 --y0 --face --layer --rivers");
  command->footer(LayerList() + "\n" + kFetchFooter);
  command->callback([&fetch, command] {
    fetch.of_showplace = command->count("--x0") == 0;
    fetch.level_of_showplace = command->count("--level") == 0;
    CompleteFormat(*command, fetch);
    if (fetch.rivers &&
        (fetch.format != FetchFormat::kHillshade || fetch.layer != Layer::kHeight)) {
      RefuseOptions("--rivers needs --format hillshade and the layer height");
    }
    if (fetch.format == FetchFormat::kSatellite && fetch.layer != Layer::kHeight) {
      RefuseOptions("--layer can't be used with --format satellite");
    }
    if (fetch.disc) CheckDisc(fetch);
  });
  return command;
}

}  // namespace thalweg::cli
