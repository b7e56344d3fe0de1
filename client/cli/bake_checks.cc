#include "client/cli/bake_checks.h"

#include <CLI/CLI.hpp>
#include <tuple>

#include "proto/command_line/options.h"

namespace thalweg::cli {

using command_line::Refuse;

namespace {

// Takes the format from the file's name if no option gives it.
void GuessFormat(BakeArguments& bake) {
  if (bake.out.ends_with(".png")) bake.format = BakeFormat::kPng16;
  if (bake.out.ends_with(".raw") || bake.out.ends_with(".r16")) bake.format = BakeFormat::kRaw16;
  if (bake.out.ends_with(".gpkg")) bake.format = BakeFormat::kGeoPackage;
  if (bake.out.ends_with(".geojson")) bake.format = BakeFormat::kContours;
  if (bake.out.ends_with(".glb")) bake.format = BakeFormat::kGlb;
  if (bake.out.ends_with(".mbtiles")) bake.format = BakeFormat::kMbtiles;
  if (bake.out.ends_with(".pmtiles")) bake.format = BakeFormat::kPmtiles;
  if (bake.out.ends_with(".i32")) bake.format = BakeFormat::kRaw32;
}

// Refuses options that mean nothing in the format.
void CheckFormat(const CLI::App& command, const BakeArguments& bake) {
  const bool vectors = bake.format == BakeFormat::kGeoPackage;
  const bool tiles = IsOfMapTiles(bake.format);
  const bool mesh = bake.format == BakeFormat::kGlb;
  const bool contours = IsOfContours(bake.format);
  const bool has_window = tiles || bake.format == BakeFormat::kContourTiles;
  const bool raster = !vectors && !tiles && !mesh && !contours;
  const std::tuple<const char*, bool, const char*> rules[] = {
      {"--range", !raster, "none with --format gpkg, mbtiles, pmtiles, contours or glb"},
      {"--tile", !raster, "none with --format gpkg, mbtiles, pmtiles, contours or glb"},
      {"--layer", vectors, "none with --format gpkg, which takes height, flow and water-level"},
      {"--layer", contours, "none with --format contours, which takes height"},
      {"--layer", mesh, "none with --format glb, which takes its own"},
      {"--crs", has_window,
       "none with --format mbtiles, pmtiles or contour-tiles: --window places the tiles"},
      {"--for", tiles, "none with --format mbtiles or pmtiles, which take whole tiles"},
      {"--min-drained-km2", !vectors, "none without --format gpkg"},
      {"--mesh-error-m", !mesh, "none without --format glb"},
      {"--texture", !mesh, "none without --format glb"},
      {"--window", !has_window, "none without --format mbtiles, pmtiles or contour-tiles"},
      {"--interval", !contours, "none without --format contours or contour-tiles"},
      {"--overviews", bake.format != BakeFormat::kCog, "none without --format cog"},
      {"--compress", bake.format != BakeFormat::kCog && bake.format != BakeFormat::kGeotiff,
       "none without --format cog or geotiff"},
  };
  for (const auto& [option, refused, expected] : rules) {
    if (refused && command.count(option) > 0) Refuse(option, expected, "one");
  }
}

// Refuses what the engine's import dialog doesn't offer.
void CheckEngine(const BakeArguments& bake) {
  if (bake.engine == Engine::kAny) return;
  const bool is_unity = bake.engine == Engine::kUnity;
  const bool is_picture = bake.format == BakeFormat::kPng16 || bake.format == BakeFormat::kSplat ||
                          bake.format == BakeFormat::kWeights;
  if (!is_picture && bake.format != BakeFormat::kRaw16) {
    Refuse("--format",
           absl::StrCat("raw16, png16, splat or weights, which ", is_unity ? "Unity" : "Unreal",
                        " imports"),
           "another one");
  }
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
  const bool has_range = bake.format == BakeFormat::kPng16 || bake.format == BakeFormat::kRaw16;
  if (bake.whole == Whole::kCube && has_range && !bake.range) {
    Refuse("--range", "MIN,MAX for the six 16-bit files of --whole cube", "none");
  }
}

}  // namespace

void CompleteBake(const CLI::App& command, BakeArguments& bake) {
  if (command.count("--format") == 0) GuessFormat(bake);
  CheckFormat(command, bake);
  CheckOverviews(command, bake);
  CheckRange(bake);
  CheckInterval(bake);
  CheckEngine(bake);
  const bool of_cover = bake.format == BakeFormat::kSplat || bake.format == BakeFormat::kWeights;
  if (of_cover && command.count("--layer") == 0) bake.layers = {Layer::kCover};
  const bool all_shards = bake.merge || bake.plan;
  if (!all_shards) command_line::CompleteShard(command, bake.shards, bake.shard);
}

}  // namespace thalweg::cli
