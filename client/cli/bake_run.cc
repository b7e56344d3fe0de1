#include "client/cli/bake_run.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <random>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "client/bake/area_fetch.h"
#include "client/bake/baker.h"
#include "client/bake/part_region.h"
#include "client/cli/bake_estimate.h"
#include "client/cli/progress.h"
#include "proto/bake/bake_plan.h"
#include "proto/wire/status_macros.h"

namespace thalweg::cli {
namespace {

using bake::Area;
using bake::Part;
using bake::PartStore;

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
  ProgressLine line;
  const auto show = [&](const bake::BakeProgress& progress) {
    if (!json) {
      line.Show(ProgressOf(progress, line.Seconds()), progress.done == progress.parts);
      return;
    }
    absl::FPrintF(stderr, "{\"parts_done\":%d,\"parts\":%d,\"wire_bytes\":%d,\"seconds\":%.1f}\n",
                  progress.done, progress.parts, progress.wire_bytes, line.Seconds());
  };
  return bake::Bake(
      baking.servers, area, parts, store,
      {.world = baking.world.id, .layers = baking.arguments.layers, .progress = show});
}

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

}  // namespace

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

absl::StatusOr<std::string> Plan(const Baking& baking, const PartStore& store, bool json) {
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
      return absl::DataLossError(absl::StrCat("invalid part ", part.x, ", ", part.y, " of '",
                                              store.folder(), "': expected what ", server.name,
                                              " computes, got other values; bake it again"));
    }
  }
  if (json) return absl::StrCat("{\"verified\":", parts.size(), "}\n");
  return absl::StrCat("verified ", parts.size(), " parts of ", store.folder(), "\n");
}

}  // namespace thalweg::cli
