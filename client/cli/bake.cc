#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <random>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "client/bake/baker.h"
#include "client/bake/part_region.h"
#include "client/cli/bake_estimate.h"
#include "client/cli/bake_files.h"
#include "client/cli/bake_levels.h"
#include "client/cli/bake_mesh.h"
#include "client/cli/bake_size.h"
#include "client/cli/bake_tiles.h"
#include "client/cli/bake_vectors.h"
#include "client/cli/commands.h"
#include "client/cli/json.h"
#include "client/cli/progress.h"
#include "proto/bake/bake_plan.h"
#include "proto/bake/part_store.h"
#include "proto/wire/status_macros.h"

namespace thalweg::cli {
namespace {

using bake::Area;
using bake::Part;
using bake::PartStore;

absl::Status ConnectAll(const std::string& servers, const ClientOptions& options, Baking& baking) {
  for (const absl::string_view name : absl::StrSplit(servers, ',', absl::SkipEmpty())) {
    THALWEG_ASSIGN_OR_RETURN(auto client, Client::Connect({name.data(), name.size()}, options));
    baking.servers.push_back({std::string(name), client.get()});
    baking.clients.push_back(std::move(client));
  }
  if (!baking.servers.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError("invalid --server: expected HOST:PORT[,HOST:PORT...], got ''");
}

// All servers must have the same world, bit for bit.
absl::StatusOr<WorldInfo> WorldOf(const Baking& baking) {
  std::optional<WorldInfo> first;
  for (const bake::BakeServer& server : baking.servers) {
    THALWEG_ASSIGN_OR_RETURN(const WorldInfo world,
                             server.client->GetWorld(baking.arguments.world));
    if (!first) first = world;
    if (world.id == first->id && world.generator_version == first->generator_version) continue;
    return absl::FailedPreconditionError(
        absl::StrCat("the servers have different worlds of the name '", world.name,
                     "', whose bits differ: ", baking.servers.front().name, " has ", first->id,
                     " of generator version ", first->generator_version, ", ", server.name, " has ",
                     world.id, " of version ", world.generator_version));
  }
  return *std::move(first);
}

absl::StatusOr<Area> AreaOf(const BakeArguments& arguments, const WorldInfo& world) {
  if (arguments.level >= world.levels) {
    return absl::InvalidArgumentError(absl::StrCat("invalid --level: expected 0 to ",
                                                   world.levels - 1, ", got ", arguments.level));
  }
  Area area{arguments.level, arguments.x0, arguments.y0, arguments.width, arguments.height};
  if (arguments.bounds) {
    const Bounds& bounds = *arguments.bounds;
    if (!(bounds.west < bounds.east) || !(bounds.north < bounds.south)) {
      return absl::InvalidArgumentError(absl::StrCat(
          "invalid --bounds: expected west under east and north under south (south grows), got ",
          bounds.west, ",", bounds.north, ",", bounds.east, ",", bounds.south));
    }
    const double cell_m = world.CellSizeM(arguments.level);
    constexpr double kFar = 9e15;
    for (const double edge : {bounds.west, bounds.north, bounds.east, bounds.south}) {
      if (std::abs(edge / cell_m) < kFar) continue;
      return absl::OutOfRangeError(
          absl::StrCat("invalid --bounds: expected places of the world, got ", edge));
    }
    area.x0 = std::llround(std::ceil(bounds.west / cell_m));
    area.y0 = std::llround(std::ceil(bounds.north / cell_m));
    area.width = std::llround(std::floor(bounds.east / cell_m)) - area.x0 + 1;
    area.height = std::llround(std::floor(bounds.south / cell_m)) - area.y0 + 1;
  }
  THALWEG_RETURN_IF_ERROR(bake::CheckArea(area, world.max_vertex));
  THALWEG_RETURN_IF_ERROR(CheckSizeFor(arguments.engine, area.width, area.height));
  return area;
}

absl::Status CheckLayers(const BakeArguments& arguments, const WorldInfo& world) {
  for (const Layer layer : arguments.layers) {
    if (world.Has(layer)) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "invalid --layer: expected one of ",
        absl::StrJoin(world.layers, ", ",
                      [](std::string* out, Layer has) { *out += LayerName(has); }),
        ", got ", std::string(LayerName(layer)), ", which world '", world.name, "' does not have"));
  }
  const bool of_cover = IsOfCover(arguments.format);
  if (of_cover && arguments.layers != std::vector{Layer::kCover}) {
    return absl::InvalidArgumentError(absl::StrCat(
        "invalid --layer: expected cover for the formats splat and weights, got ",
        absl::StrJoin(arguments.layers, ",",
                      [](std::string* out, Layer layer) { *out += LayerName(layer); })));
  }
  for (const Layer layer : arguments.layers) {
    const bool packed = layer == Layer::kNormal || layer == Layer::kCover;
    const bool takes_packed =
        of_cover || arguments.format == BakeFormat::kRaw32 || arguments.format == BakeFormat::kGlb;
    if (!packed || takes_packed) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "invalid --format: expected raw32", layer == Layer::kCover ? ", splat or weights" : "",
        " for the layer ", std::string(LayerName(layer)),
        ", got a format that holds one number for each vertex"));
  }
  return absl::OkStatus();
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

// What this shard has of each level, coarse ones first, since finer ones are computed from them;
// how many parts these are.
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

// Bakes parts from the middle of the region that are not there yet, and tells by them what the
// whole would take. They stay.
absl::StatusOr<std::string> Plan(const Baking& baking, const PartStore& store,
                                 std::vector<Part> parts, bool json) {
  constexpr std::size_t kSample = 4;
  const std::size_t all = parts.size();
  std::erase_if(parts, [&](const Part& part) { return store.Has(part); });
  if (parts.empty())
    return std::string("all parts are there: run the same command without --plan\n");
  const std::size_t first = (parts.size() - std::min(parts.size(), kSample)) / 2;
  parts = {parts.begin() + static_cast<std::ptrdiff_t>(first),
           parts.begin() + static_cast<std::ptrdiff_t>(std::min(first + kSample, parts.size()))};
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
  return EstimateText(baking, all, measured, json);
}

// Computes some of the finished parts again, others each time it runs.
absl::StatusOr<std::string> Verify(const Baking& baking, const PartStore& store,
                                   std::vector<Part> parts, bool json) {
  std::erase_if(parts, [&](const Part& part) { return !store.Has(part); });
  std::ranges::shuffle(parts, std::mt19937(std::random_device()()));
  parts.resize(std::min(parts.size(), static_cast<std::size_t>(baking.arguments.verify)));
  std::size_t next = 0;
  for (const Part& part : parts) {
    THALWEG_ASSIGN_OR_RETURN(const Region baked, bake::ReadRegion(store, part));
    const bake::BakeServer& server = baking.servers[next++ % baking.servers.size()];
    THALWEG_ASSIGN_OR_RETURN(const Region again, server.client->FetchRegion(bake::RequestOf(
                                                     bake::Clipped(baking.area, part),
                                                     baking.world.id, baking.arguments.layers)));
    for (std::size_t plane = 0; plane < again.planes.size(); ++plane) {
      if (again.planes[plane].values == baked.planes[plane].values) continue;
      return absl::DataLossError(absl::StrCat("part ", part.x, ", ", part.y, " of '",
                                              store.folder(), "' differs from what ", server.name,
                                              " computes"));
    }
  }
  if (json) return absl::StrCat("{\"verified\":", parts.size(), "}\n");
  return absl::StrCat("verified ", parts.size(), " parts of ", store.folder(), "\n");
}

std::string Summary(const Baking& baking, const std::vector<std::string>& files, bool json) {
  if (!json) {
    return absl::StrFormat("%s: %d x %d vertices of %s at level %d\n", absl::StrJoin(files, ", "),
                           baking.area.width, baking.area.height, baking.world.name,
                           baking.area.level);
  }
  const std::string names = absl::StrJoin(
      files, ",", [](std::string* out, const std::string& file) { *out += JsonString(file); });
  return absl::StrCat("{\"files\":[", names, "],\"world_id\":", JsonString(baking.world.id),
                      ",\"level\":", baking.area.level, ",\"width\":", baking.area.width,
                      ",\"height\":", baking.area.height, "}\n");
}

}  // namespace

namespace {

// What a format takes of itself, whatever else is baked.
std::optional<std::vector<Layer>> LayersOf(BakeFormat format, const WorldInfo& world) {
  if (format == BakeFormat::kGeoPackage) return VectorLayersOf(world);
  if (format == BakeFormat::kGlb) return MeshLayers();
  return std::nullopt;
}

absl::Status CheckLayersThere(const std::vector<Layer>& there, BakeFormat format,
                              const WorldInfo& world) {
  const auto names = [](const std::vector<Layer>& layers) {
    return absl::StrJoin(layers, ",",
                         [](std::string* out, Layer layer) { *out += LayerName(layer); });
  };
  const auto needed = LayersOf(format, world);
  if (!needed || *needed == there) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("invalid --from: expected parts of --layer ",
                                                 names(*needed), " for this format, got ",
                                                 names(there)));
}

// Files of parts that are there.
absl::StatusOr<std::string> BakeFrom(const BakeArguments& arguments, bool json) {
  if (arguments.format == BakeFormat::kMbtiles) {
    return absl::InvalidArgumentError(
        "invalid --format: expected another one with --from, got mbtiles, which takes coarser "
        "levels too: bake it from a server");
  }
  THALWEG_ASSIGN_OR_RETURN(PartStore store, PartStore::OpenWhatIsThere(arguments.from));
  BakeArguments with_layers = arguments;
  with_layers.layers = bake::LayersOf(store.manifest());
  Baking baking{.arguments = with_layers};
  THALWEG_ASSIGN_OR_RETURN(baking.world, bake::WorldOf(store));
  baking.area = store.manifest().area;
  THALWEG_RETURN_IF_ERROR(CheckLayersThere(with_layers.layers, arguments.format, baking.world));
  THALWEG_RETURN_IF_ERROR(CheckLayers(with_layers, baking.world));
  THALWEG_RETURN_IF_ERROR(CheckSizeFor(arguments.engine, baking.area.width, baking.area.height));
  THALWEG_RETURN_IF_ERROR(CheckRasters(baking));
  const std::vector<BakedLevel> levels = {LevelOf(std::move(store))};
  THALWEG_RETURN_IF_ERROR(CheckComplete(levels));
  THALWEG_ASSIGN_OR_RETURN(const std::vector<std::string> files, WriteFiles(baking, levels));
  return Summary(baking, files, json);
}

}  // namespace

absl::StatusOr<std::string> Bake(const std::string& servers, const ClientOptions& options,
                                 const BakeArguments& arguments, bool json) {
  if (std::error_code ignored; std::filesystem::is_directory(arguments.out, ignored)) {
    return absl::InvalidArgumentError(
        absl::StrCat("invalid --out: expected a file, got the folder '", arguments.out, "'"));
  }
  if (!arguments.from.empty()) return BakeFrom(arguments, json);
  BakeArguments with_layers = arguments;
  Baking baking{.arguments = with_layers};
  THALWEG_RETURN_IF_ERROR(ConnectAll(servers, options, baking));
  THALWEG_ASSIGN_OR_RETURN(baking.world, WorldOf(baking));
  with_layers.layers = LayersOf(arguments.format, baking.world).value_or(arguments.layers);
  THALWEG_RETURN_IF_ERROR(CheckLayers(with_layers, baking.world));
  THALWEG_ASSIGN_OR_RETURN(baking.area, AreaOf(arguments, baking.world));
  if (arguments.format == BakeFormat::kMbtiles) {
    baking.area = WholeTiles(baking.area);
    THALWEG_RETURN_IF_ERROR(bake::CheckArea(baking.area, baking.world.max_vertex));
  }
  THALWEG_RETURN_IF_ERROR(CheckRasters(baking));
  THALWEG_ASSIGN_OR_RETURN(const std::vector<BakedLevel> levels, OpenLevels(baking));
  const PartStore& store = levels.front().store;
  if (arguments.verify > 0) return Verify(baking, store, levels.front().parts, json);
  if (arguments.plan) return Plan(baking, store, bake::PartsOf(baking.area), json);
  if (!arguments.merge) {
    THALWEG_ASSIGN_OR_RETURN(const std::size_t parts, FetchLevels(baking, levels, json));
    if (arguments.shards > 1) {
      return json ? absl::StrCat("{\"shard\":", arguments.shard, ",\"parts\":", parts, "}\n")
                  : absl::StrCat("shard ", arguments.shard, " of ", arguments.shards, ": ", parts,
                                 " parts in ", store.folder(), "\n");
    }
  }
  THALWEG_RETURN_IF_ERROR(CheckComplete(levels));
  THALWEG_ASSIGN_OR_RETURN(const std::vector<std::string> files, WriteFiles(baking, levels));
  if (!arguments.keep_parts) THALWEG_RETURN_IF_ERROR(RemoveParts(levels));
  return Summary(baking, files, json);
}

}  // namespace thalweg::cli
