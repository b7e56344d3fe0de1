#include "client/cli/bake_checks.h"

#include <CLI/CLI.hpp>
#include <string>

#include "proto/bake/array_job.h"

namespace thalweg::cli {
namespace {

void CheckShard(BakeArguments& bake, bool given) {
  if (bake.shards > 1 && !given && !bake.merge && !bake.plan) {
    bake.shard = bake::IndexInArray().value_or(-1);
  }
  if (bake.shard >= 0 && bake.shard < bake.shards) return;
  throw CLI::ValidationError("--shard", "expected 0 to " + std::to_string(bake.shards - 1) +
                                            ", or the index of an array job in the environment");
}

// Takes the format from the file's name if no option gives it.
void GuessFormat(BakeArguments& bake) {
  if (bake.out.ends_with(".png")) bake.format = BakeFormat::kPng16;
  if (bake.out.ends_with(".raw") || bake.out.ends_with(".r16")) bake.format = BakeFormat::kRaw16;
  if (bake.out.ends_with(".gpkg")) bake.format = BakeFormat::kGeoPackage;
  if (bake.out.ends_with(".glb")) bake.format = BakeFormat::kGlb;
  if (bake.out.ends_with(".mbtiles")) bake.format = BakeFormat::kMbtiles;
  if (bake.out.ends_with(".i32")) bake.format = BakeFormat::kRaw32;
}

void CheckRangeOption(const BakeArguments& bake) {
  const bool takes_none = bake.format == BakeFormat::kGeoPackage ||
                          bake.format == BakeFormat::kMbtiles || bake.format == BakeFormat::kGlb;
  if (!bake.range || !takes_none) return;
  throw CLI::ValidationError("--range", "expected none with --format gpkg, mbtiles or glb");
}

void CheckVectorOptions(const BakeArguments& bake, bool has_layer, bool has_drained) {
  const bool vectors = bake.format == BakeFormat::kGeoPackage;
  if (vectors && has_layer) {
    throw CLI::ValidationError("--layer",
                               "expected none with --format gpkg, which takes height, flow and "
                               "water-level of the world by itself");
  }
  if (vectors || !has_drained) return;
  throw CLI::ValidationError("--min-drained-km2", "expected none without --format gpkg");
}

void CheckMeshOptions(const BakeArguments& bake, bool has_layer, bool has_error) {
  const bool is_mesh = bake.format == BakeFormat::kGlb;
  if (is_mesh && has_layer) {
    throw CLI::ValidationError("--layer",
                               "expected none with --format glb, which takes height and normal");
  }
  if (is_mesh || !has_error) return;
  throw CLI::ValidationError("--mesh-error-m", "expected none without --format glb");
}

void CheckTileOptions(const BakeArguments& bake, bool has_window, bool has_crs) {
  const bool tiles = bake.format == BakeFormat::kMbtiles;
  if (tiles && has_crs) {
    throw CLI::ValidationError("--crs",
                               "expected none with --format mbtiles: --window places the tiles");
  }
  if (tiles && bake.engine != Engine::kAny) {
    throw CLI::ValidationError("--for",
                               "expected none with --format mbtiles, which takes whole tiles");
  }
  if (tiles || !has_window) return;
  throw CLI::ValidationError("--window", "expected none without --format mbtiles");
}

void CheckSquareOption(const BakeArguments& bake, bool has_tile) {
  const bool is_raster = bake.format != BakeFormat::kGeoPackage &&
                         bake.format != BakeFormat::kMbtiles && bake.format != BakeFormat::kGlb;
  if (is_raster || !has_tile) return;
  throw CLI::ValidationError("--tile", "expected none with --format gpkg, mbtiles or glb");
}

void CheckOverviews(const BakeArguments& bake, const GivenBakeOptions& given) {
  if (!given.overviews) return;
  if (bake.format != BakeFormat::kCog) {
    throw CLI::ValidationError("--overviews", "expected none without --format cog");
  }
  if (bake.overviews != OverviewSource::kLevels) return;
  if (given.tile) {
    throw CLI::ValidationError("--overviews", "expected means with --tile, got levels");
  }
  if (given.pixels) {
    throw CLI::ValidationError("--overviews",
                               "expected means with --region and --whole, got levels");
  }
}

void CheckPixels(const BakeArguments& bake, const GivenBakeOptions& given) {
  if (given.pixels && given.crs) {
    throw CLI::ValidationError("--crs", "expected none with --region and --whole");
  }
  if (given.pixels && given.tile) {
    throw CLI::ValidationError(
        "--tile", "expected none with --region and --whole, since pixels share no edges");
  }
  const bool has_range = bake.format == BakeFormat::kPng16 || bake.format == BakeFormat::kRaw16;
  if (bake.whole == Whole::kCube && has_range && !bake.range) {
    throw CLI::ValidationError(
        "--range", "expected MIN,MAX for the six 16-bit files of --whole cube, got none");
  }
}

}  // namespace

void CompleteBake(const GivenBakeOptions& given, BakeArguments& bake) {
  if (!given.format) GuessFormat(bake);
  const bool of_cover = bake.format == BakeFormat::kSplat || bake.format == BakeFormat::kWeights;
  CheckRangeOption(bake);
  CheckVectorOptions(bake, given.layer, given.min_drained);
  CheckMeshOptions(bake, given.layer, given.mesh_error);
  CheckSquareOption(bake, given.tile);
  CheckOverviews(bake, given);
  CheckPixels(bake, given);
  CheckTileOptions(bake, given.window, given.crs);
  if (of_cover && !given.layer) bake.layers = {Layer::kCover};
  CheckShard(bake, given.shard);
  if (bake.range && !(bake.range->first < bake.range->second)) {
    throw CLI::ValidationError("--range", "expected MIN,MAX with MIN below MAX");
  }
}

}  // namespace thalweg::cli
