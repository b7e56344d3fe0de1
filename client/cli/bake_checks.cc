#include "client/cli/bake_checks.h"

#include <CLI/CLI.hpp>

#include "client/cli/bake_format.h"
#include "proto/command_line/options.h"

namespace thalweg::cli {

using command_line::Refuse;

namespace {

// Refuses options that mean nothing in the format.
void CheckFormat(const CLI::App& command, const BakeArguments& bake) {
  for (const OptionRule& rule : RulesOf(*bake.format)) {
    if (rule.is_refused && command.count(rule.option) > 0) {
      Refuse(rule.option, rule.expected, "one");
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
           "another one");
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
    Refuse("--range", "MIN,MAX for the six 16-bit files of --whole cube", "none");
  }
}

}  // namespace

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

}  // namespace thalweg::cli
