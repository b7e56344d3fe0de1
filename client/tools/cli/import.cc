#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "client/tools/cli/commands.h"
#include "client/tools/cli/files.h"
#include "client/tools/cli/progress.h"
#include "client/tools/import/land_margin.h"
#include "client/tools/import/land_spec.h"
#include "client/tools/import/land_waters.h"
#include "client/tools/raster/raster_file.h"
#include "proto/base/json_text.h"
#include "proto/base/message_text.h"
#include "proto/elevation/elevation_file.h"
#include "proto/wire/invalid.h"
#include "proto/wire/rounded.h"
#include "proto/wire/status_macros.h"

namespace thalweg::cli {
namespace {

namespace fs = std::filesystem;

// Makes a world's name from a file's or a folder's: lower-case letters, digits and hyphens.
std::string NameOf(const std::string& raster) {
  std::string name;
  const fs::path path(raster);
  for (const char c : (path.has_filename() ? path : path.parent_path()).stem().string()) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 && byte < 0x80) {
      name.push_back(static_cast<char>(std::tolower(byte)));
    } else if (!name.empty() && name.back() != '-') {
      name.push_back('-');
    }
  }
  while (!name.empty() && name.back() == '-') name.pop_back();
  constexpr std::size_t kLongest = 64;
  return name.empty() ? "land" : name.substr(0, kLongest);
}

// Returns the sea level from the options; otherwise 0 if 1/100 of the raster is that low.
std::optional<double> SeaLevelOf(const ImportArguments& arguments,
                                 const raster_file::ElevationModel& model) {
  if (arguments.sea_level_m) return arguments.sea_level_m;
  const std::vector<double>& heights = model.ground_m.values;
  const auto wet = std::ranges::count_if(heights, [](double height_m) { return height_m <= 0; });
  constexpr std::ptrdiff_t kShare = 100;
  if (wet * kShare < static_cast<std::ptrdiff_t>(heights.size())) return std::nullopt;
  return 0.0;
}

// Makes the folder if needed. Fails at once, not after minutes of work, if it can't be written to.
absl::StatusOr<OutputFile> OpenSpec(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  std::error_code error;
  if (!folder.empty()) fs::create_directories(folder, error);
  if (!error) return OutputFile::CreateAfterOthers(path);
  return absl::ErrnoToStatus(error.value(), absl::StrCat("create '", folder.string(), "'"));
}

// Returns the width of the margin in cells.
absl::StatusOr<int> MarginOf(const ImportArguments& arguments, const survey::Grid<double>& raster_m,
                             double cell_m, const real_land::Surroundings& around) {
  if (!arguments.blend_m) return real_land::MarginCells(raster_m, cell_m, around);
  const double cells = std::round(*arguments.blend_m / cell_m);
  if (cells >= real_land::kMinMargin && cells <= real_land::kMaxMargin) {
    return static_cast<int>(cells);
  }
  return wire::Invalid("--blend",
                       absl::StrCat(wire::MinText(real_land::kMinMargin * cell_m), " to ",
                                    wire::MaxText(real_land::kMaxMargin * cell_m), " m, which are ",
                                    real_land::kMinMargin, " to ", real_land::kMaxMargin, " cells"),
                       absl::StrFormat("%g", *arguments.blend_m));
}

struct Imported {
  // The raster, if it is the only one.
  std::string raster;
  // What was done to its values.
  std::vector<std::string> notes;
  std::string spec_path;
  std::string land_path;
  std::size_t land_bytes = 0;
  real_land::LandFacts facts;
  double filled_rms_m = 0;
  double filled_max_m = 0;
};

std::string ImportText(const Imported& made, bool json) {
  const real_land::LandFacts& facts = made.facts;
  if (json) {
    return json::TextOf({{"world", facts.name},
                         {"file", made.spec_path},
                         {"elevation", made.land_path},
                         {"bytes", made.land_bytes},
                         {"sha256", facts.hash},
                         {"level", facts.level},
                         {"width", facts.width},
                         {"height", facts.height},
                         {"cell_size_m", facts.cell_m},
                         {"crs", facts.crs},
                         {"filled_rms_m", made.filled_rms_m},
                         {"filled_max_m", made.filled_max_m},
                         {"notes", made.notes}}) +
           "\n";
  }
  std::string text;
  for (const std::string& note : made.notes) {
    absl::StrAppend(&text, made.raster, made.raster.empty() ? "" : ": ", note, "\n");
  }
  absl::StrAppendFormat(
      &text,
      "%s: world '%s', %d x %d vertices %g m apart at level %d, %.0f to %.0f m\n"
      "%s: %.1f MB of land; hollows were filled by up to %.2f m (%.3f m rms), so that all "
      "water drains\n"
      "rivers: slope = %.3g * area^-%.2f, angle of repose %.0f degrees; %s\n"
      "next: thalwegd serve --worlds %s, then thalweg fetch --world %s --format satellite --out "
      "%s.png\n",
      made.spec_path, facts.name, facts.width, facts.height, facts.cell_m, facts.level,
      facts.lowest_m, facts.highest_m, made.land_path, static_cast<double>(made.land_bytes) / 1e6,
      made.filled_max_m, made.filled_rms_m, facts.law.steepness, facts.law.concavity,
      facts.law.repose_deg,
      facts.sea_level_m ? absl::StrFormat("sea at %g m", *facts.sea_level_m) : "no sea",
      fs::path(made.spec_path).parent_path().empty()
          ? "."
          : fs::path(made.spec_path).parent_path().string(),
      facts.name, facts.name);
  return text;
}

}  // namespace

absl::StatusOr<std::string> Import(const ImportArguments& arguments, bool json) {
  if (!arguments.name.empty() && NameOf(arguments.name) != arguments.name) {
    return wire::Invalid("--name", "1 to 64 lower-case letters, digits and hyphens",
                         absl::StrCat("'", arguments.name, "'"));
  }
  ProgressLine line;
  const std::string& first = arguments.rasters.front();
  THALWEG_ASSIGN_OR_RETURN(
      raster_file::ElevationModel model,
      raster_file::ReadElevationModel(
          arguments.rasters, {.band = arguments.band,
                              .height_unit_m = arguments.height_unit_m,
                              .crs = arguments.crs,
                              .no_data = arguments.no_data,
                              .sea_level_m = arguments.sea_level_m.value_or(0),
                              .step_m = arguments.step_m,
                              .progress = [&line](double part) {
                                line.Show(absl::StrCat(BarText(part), "  reading"), part >= 1);
                              }}));
  Imported made;
  if (arguments.rasters.size() == 1) made.raster = first;
  made.notes = model.notes;
  real_land::LandFacts& facts = made.facts;
  facts.name = arguments.name.empty() ? NameOf(first) : arguments.name;
  facts.cell_m = model.cell_size_m;
  facts.level = real_land::LevelOf(model.cell_size_m);
  facts.width = model.ground_m.width;
  facts.height = model.ground_m.height;
  facts.description = absl::StrFormat("%s: %d x %d vertices, %g m apart",
                                      absl::Utf8SafeCHexEscape(fs::path(first).filename().string()),
                                      facts.width, facts.height, facts.cell_m);
  facts.sea_level_m = SeaLevelOf(arguments, model);
  if (facts.sea_level_m) {
    const std::int64_t cells =
        real_land::MakeSeaFloor(model.ground_m, facts.cell_m, *facts.sea_level_m);
    if (cells > 0) {
      made.notes.push_back(
          absl::StrFormat("the sea has %d pixels, at %g m; its floor falls from the shore by 1 in "
                          "50, to 30 m",
                          cells, *facts.sea_level_m));
    }
  }
  const auto [lowest, highest] = std::ranges::minmax_element(model.ground_m.values);
  facts.lowest_m = *lowest;
  facts.highest_m = *highest;
  facts.edge = real_land::EdgeOf(model.ground_m, facts.sea_level_m);
  const real_land::Surroundings around = real_land::SurroundingsOf(facts);
  THALWEG_ASSIGN_OR_RETURN(const int margin,
                           MarginOf(arguments, model.ground_m, facts.cell_m, around));
  facts.margin_m = margin * facts.cell_m;
  facts.crs = model.crs;
  const elevation::SheetShape raster = elevation::ShapeOfSheet(facts.width, facts.height, 0);
  facts.origin_east = model.east - raster.x0 * facts.cell_m;
  facts.origin_north = model.north + raster.y0 * facts.cell_m;
  // Now, before minutes of work: the law of its rivers, which comes later, is never out of range.
  THALWEG_RETURN_IF_ERROR(real_land::CheckSpec(real_land::SpecOf(facts)));

  made.spec_path = arguments.out.empty() ? facts.name + ".json" : arguments.out;
  THALWEG_ASSIGN_OR_RETURN(OutputFile spec_file, OpenSpec(made.spec_path));
  line.Show("the land around it", true);
  model.ground_m = real_land::WithMargin(model.ground_m, facts.cell_m, margin, around);
  const real_land::Land land = real_land::LandOf(
      std::move(model.ground_m), margin, facts.cell_m, facts.level, facts.sea_level_m,
      [&](int step) {
        line.Show(absl::StrFormat("rivers of level %d of %d", facts.level - step, facts.level),
                  true);
      });
  facts.law = land.law;
  made.filled_rms_m = land.filled_rms_m;
  made.filled_max_m = land.filled_max_m;
  const std::string bytes = elevation::Encode(facts.cell_m, land.sheets);
  facts.hash = elevation::HashOf(bytes);
  made.land_bytes = bytes.size();
  made.land_path =
      (fs::path(made.spec_path).parent_path() / elevation::FileNameOf(facts.hash)).string();
  THALWEG_ASSIGN_OR_RETURN(OutputFile land_file, OutputFile::CreateAfterOthers(made.land_path));
  THALWEG_RETURN_IF_ERROR(land_file.WriteAll(bytes));
  THALWEG_ASSIGN_OR_RETURN(const std::string spec, text::ToJson(real_land::SpecOf(facts)));
  THALWEG_RETURN_IF_ERROR(spec_file.WriteAll(spec));
  return ImportText(made, json);
}

}  // namespace thalweg::cli
