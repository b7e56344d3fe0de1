#include "client/tools/cli/bake_levels.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <random>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "client/tools/bake/baker.h"
#include "client/tools/bake/part_region.h"
#include "client/tools/cli/bake_format.h"
#include "client/tools/cli/progress.h"
#include "client/tools/picture/label.h"
#include "proto/base/json_text.h"
#include "proto/wire/status_macros.h"

namespace thalweg::cli {
namespace {

using bake::Area;
using bake::Part;
using bake::PartStore;

std::vector<Area> AreasOf(const Baking& baking) {
  const BakeFormat& format = *baking.arguments.format;
  return format.areas == nullptr ? std::vector{baking.area} : format.areas(baking);
}

std::string ProgressOf(const bake::BakeProgress& progress, double seconds) {
  const double rate = seconds > 0 ? static_cast<double>(progress.vertices) / seconds : 0;
  const double share = static_cast<double>(progress.done) /
                       static_cast<double>(std::max(progress.parts, std::size_t{1}));
  std::string text = absl::StrFormat("%s %d/%d parts  %.2f Mvertices/s", BarText(share),
                                     progress.done, progress.parts, rate / 1e6);
  if (rate > 0) {
    absl::StrAppendFormat(&text, "  %.0f s left",
                          static_cast<double>(progress.vertices_left) / rate);
  }
  return text;
}

absl::Status FetchParts(const Baking& baking, const Area& area, const std::vector<Part>& parts,
                        const PartStore& store, bool json) {
  ProgressLine line(ProgressLine::Elsewhere::kLines);
  const auto show = [&](const bake::BakeProgress& progress) {
    if (!json) {
      line.Show(ProgressOf(progress, line.Seconds()), progress.done == progress.parts);
      return;
    }
    absl::FPrintF(stderr, "%s\n",
                  json::TextOf({{"parts_done", progress.done},
                                {"parts", progress.parts},
                                {"wire_bytes", progress.wire_bytes},
                                {"seconds", json::Rounded(line.Seconds(), 1)}}));
  };
  return bake::Bake(
      baking.servers, area, parts, store,
      {.world = baking.world.id, .layers = baking.arguments.layers, .progress = show});
}

// Measurements of a few parts.
struct MeasuredParts {
  std::size_t parts = 0;
  std::int64_t vertices = 0;
  std::int64_t bytes = 0;  // in the folder
  double seconds = 0;
};

// Bakes some parts from the middle of the missing ones, and measures them.
absl::StatusOr<MeasuredParts> MeasureSome(const Baking& baking, const PartStore& store,
                                          std::vector<Part> missing, bool json) {
  constexpr std::size_t kSample = 4;
  const std::size_t first = (missing.size() - std::min(missing.size(), kSample)) / 2;
  const std::vector<Part> parts = {
      missing.begin() + static_cast<std::ptrdiff_t>(first),
      missing.begin() + static_cast<std::ptrdiff_t>(std::min(first + kSample, missing.size()))};
  MeasuredParts measured{.parts = parts.size()};
  const auto start = std::chrono::steady_clock::now();
  THALWEG_RETURN_IF_ERROR(FetchParts(baking, baking.area, parts, store, json));
  measured.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  for (const Part& part : parts) {
    const Area area = bake::Clipped(baking.area, part);
    measured.vertices += area.width * area.height;
    THALWEG_ASSIGN_OR_RETURN(const std::int64_t bytes, store.BytesOf(part));
    measured.bytes += bytes;
  }
  return measured;
}

std::vector<Part> MissingOf(const PartStore& store, std::vector<Part> parts) {
  std::erase_if(parts, [&](const Part& part) { return store.Has(part); });
  return parts;
}

// Returns the bytes for each vertex in the files, for all layers together.
double FileBytes(const BakeArguments& arguments) {
  const BakeFormat& format = *arguments.format;
  const std::size_t layers = format.kind == BakeKind::kRaster ? arguments.layers.size() : 1;
  return format.bytes_per_vertex * static_cast<double>(layers);
}

// Returns a duration such as "1 h 20 min" or "45 s".
std::string DurationText(double seconds) {
  const auto whole = static_cast<std::int64_t>(std::llround(seconds));
  if (whole < 60) return absl::StrCat(whole, " s");
  if (whole < 3600) return absl::StrCat(whole / 60, " min ", whole % 60, " s");
  return absl::StrCat(whole / 3600, " h ", whole / 60 % 60, " min");
}

// Estimates time and bytes of the whole bake from a few parts, as lines or as a JSON object.
std::string EstimateText(const Baking& baking, std::size_t parts, const MeasuredParts& measured,
                         bool json) {
  const BakeArguments& arguments = baking.arguments;
  const double vertices =
      static_cast<double>(baking.area.width) * static_cast<double>(baking.area.height);
  const double rate = static_cast<double>(measured.vertices) / measured.seconds;
  const double seconds = vertices / rate;
  const double folder =
      vertices * static_cast<double>(measured.bytes) / static_cast<double>(measured.vertices);
  const double files = vertices * FileBytes(arguments);
  if (json) {
    return json::TextOf({{"width", baking.area.width},
                         {"height", baking.area.height},
                         {"parts", parts},
                         {"measured_parts", measured.parts},
                         {"vertices_per_s", rate},
                         {"seconds", seconds},
                         {"shards", arguments.shards},
                         {"seconds_per_shard", seconds / arguments.shards},
                         {"folder_bytes", std::round(folder)},
                         {"file_bytes", std::round(files)}}) +
           "\n";
  }
  const double cell_m = baking.world.CellSizeM(baking.area.level);
  std::string text = absl::StrFormat(
      "region  %d x %d vertices, %s x %s, %d parts\n"
      "rate    %.2f million vertices a second from %d %s, by %d parts\n"
      "time    %s",
      baking.area.width, baking.area.height,
      picture::LengthText(static_cast<double>(baking.area.width - 1) * cell_m),
      picture::LengthText(static_cast<double>(baking.area.height - 1) * cell_m), parts, rate / 1e6,
      baking.servers.size(), baking.servers.size() == 1 ? "server" : "servers", measured.parts,
      DurationText(seconds));
  if (arguments.shards > 1) {
    absl::StrAppendFormat(&text, "; %s where each of %d shards has as many servers of its own",
                          DurationText(seconds / arguments.shards), arguments.shards);
  }
  absl::StrAppendFormat(&text, "\ndisk    %.2f GB in the folder of parts, max %.2f GB of files\n",
                        folder / 1e9, files / 1e9);
  return text;
}

}  // namespace

std::vector<Part> InRows(std::vector<Part> parts) {
  std::ranges::sort(parts, {}, [](const Part& part) { return std::pair{part.y, part.x}; });
  return parts;
}

absl::StatusOr<std::vector<BakedLevel>> OpenLevels(const Baking& baking) {
  std::vector<BakedLevel> levels;
  for (const Area& area : AreasOf(baking)) {
    std::string folder = baking.arguments.out + ".bake";
    if (area.level != baking.area.level) absl::StrAppend(&folder, "/level-", area.level);
    THALWEG_ASSIGN_OR_RETURN(
        PartStore store,
        PartStore::Open(folder, {.world_id = baking.world.id,
                                 .generator_version = baking.world.generator_version,
                                 .area = area,
                                 .layers = bake::NumbersOf(baking.arguments.layers),
                                 .world = bake::ToManifest(baking.world)}));
    levels.push_back({area, std::move(store), InRows(bake::PartsOf(area))});
  }
  return levels;
}

BakedLevel LevelOf(PartStore store) {
  const Area area = store.manifest().area;
  return {area, std::move(store), InRows(bake::PartsOf(area))};
}

absl::Status CheckComplete(const std::vector<BakedLevel>& levels) {
  std::size_t missing = 0;
  std::size_t all = 0;
  for (const BakedLevel& level : levels) {
    all += level.parts.size();
    missing += static_cast<std::size_t>(std::ranges::count_if(
        level.parts, [&](const Part& part) { return !level.store.Has(part); }));
  }
  if (missing == 0) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat(
      "invalid folder '", levels.front().store.folder(), "': expected ", all, " parts, got ",
      all - missing, ": run the same bake again, or those of its shards that have not finished"));
}

absl::Status RemoveParts(const std::vector<BakedLevel>& levels) {
  // From coarse to fine, so that the first level's folder, which has the others in it, comes last.
  for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
    THALWEG_RETURN_IF_ERROR(level->store.Remove(level->parts));
  }
  return absl::OkStatus();
}

absl::StatusOr<BakedGrids> ReadArea(const BakedLevel& level, const bake::Area& area,
                                    std::size_t layers) {
  BakedGrids grids(
      layers, survey::FilledGrid(static_cast<int>(area.width), static_cast<int>(area.height), 0));
  for (const bake::Part& part : bake::PartsOf(area)) {
    THALWEG_ASSIGN_OR_RETURN(const Region region, bake::ReadRegion(level.store, part));
    // What the part and the area have in common.
    const bake::Area both = bake::Clipped(area, part);
    for (std::size_t layer = 0; layer < layers; ++layer) {
      for (std::int64_t row = 0; row < both.height; ++row) {
        const std::int64_t from = (both.y0 + row - region.y0) * region.width + both.x0 - region.x0;
        std::copy_n(region.planes[layer].values.begin() + from, both.width,
                    &grids[layer].At(static_cast<int>(both.x0 - area.x0),
                                     static_cast<int>(both.y0 + row - area.y0)));
      }
    }
  }
  return grids;
}

absl::StatusOr<BakedGrids> ReadGrids(const BakedLevel& level, const std::vector<Layer>& layers) {
  return ReadArea(level, level.area, layers.size());
}

absl::StatusOr<std::size_t> FetchLevels(const Baking& baking, const std::vector<BakedLevel>& levels,
                                        bool json) {
  const BakeArguments& arguments = baking.arguments;
  std::size_t all = 0;
  for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
    const std::vector<Part> parts = bake::PartsOf(level->area, {arguments.shard, arguments.shards});
    all += parts.size();
    if (parts.empty()) continue;
    THALWEG_RETURN_IF_ERROR(FetchParts(baking, level->area, parts, level->store, json));
  }
  return all;
}

absl::StatusOr<std::string> EstimateBake(const Baking& baking, const PartStore& store, bool json) {
  const std::vector<Part> all = bake::PartsOf(baking.area);
  const std::vector<Part> missing = MissingOf(store, all);
  if (missing.empty()) {
    return std::string("all parts are baked: run the same command without --plan\n");
  }
  THALWEG_ASSIGN_OR_RETURN(const MeasuredParts measured, MeasureSome(baking, store, missing, json));
  return EstimateText(baking, all.size(), measured, json);
}

absl::Status WarnOfAnHour(const Baking& baking, const PartStore& store, bool json) {
  // Fewer parts take less than an hour on any machine.
  constexpr std::size_t kManyParts = 64;
  constexpr double kHour = 3600;
  const BakeArguments& arguments = baking.arguments;
  const std::vector<Part> own = bake::PartsOf(baking.area, {arguments.shard, arguments.shards});
  const std::vector<Part> missing = MissingOf(store, own);
  if (missing.size() < kManyParts) return absl::OkStatus();
  THALWEG_ASSIGN_OR_RETURN(const MeasuredParts measured, MeasureSome(baking, store, missing, json));
  const double seconds =
      measured.seconds * static_cast<double>(missing.size()) / static_cast<double>(measured.parts);
  if (seconds < kHour) return absl::OkStatus();
  absl::FPrintF(stderr, "%s",
                EstimateText(baking, bake::PartsOf(baking.area).size(), measured, json));
  return absl::OkStatus();
}

absl::StatusOr<std::string> Verify(const Baking& baking, const BakedLevel& level, bool json) {
  const PartStore& store = level.store;
  std::vector<Part> parts = level.parts;
  std::erase_if(parts, [&](const Part& part) { return !store.Has(part); });
  std::ranges::shuffle(parts, std::mt19937(std::random_device()()));
  parts.resize(std::min(parts.size(), static_cast<std::size_t>(baking.arguments.verify)));
  std::size_t next = 0;
  for (const Part& part : parts) {
    THALWEG_ASSIGN_OR_RETURN(const Region baked, bake::ReadRegion(store, part));
    const bake::BakeServer& server = baking.servers[next++ % baking.servers.size()];
    THALWEG_ASSIGN_OR_RETURN(const Region again,
                             bake::FetchArea(*server.client, bake::Clipped(baking.area, part),
                                             baking.world.id, baking.arguments.layers));
    for (std::size_t plane = 0; plane < again.planes.size(); ++plane) {
      if (again.planes[plane].values == baked.planes[plane].values) continue;
      return absl::DataLossError(absl::StrCat("part ", part.x, ", ", part.y, " of '",
                                              store.folder(), "' differs from what ", server.name,
                                              " computes; bake it again"));
    }
  }
  if (json) return json::TextOf({{"verified", parts.size()}}) + "\n";
  return absl::StrCat("verified ", parts.size(), " parts of ", store.folder(), "\n");
}

}  // namespace thalweg::cli
