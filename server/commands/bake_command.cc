#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_join.h"
#include "proto/bake/bake_plan.h"
#include "proto/bake/part_store.h"
#include "proto/bake/planet_area.h"
#include "proto/base/json_text.h"
#include "proto/command_line/options.h"
#include "proto/geometry/sample_point.h"
#include "proto/wire/invalid.h"
#include "proto/wire/layer_facts.h"
#include "proto/wire/status_macros.h"
#include "server/bake/local_baker.h"
#include "server/cache/tile_cache.h"
#include "server/calls/worlds.h"
#include "server/commands/commands.h"
#include "server/commands/device_option.h"
#include "server/commands/logging.h"
#include "server/field/field.h"
#include "server/tile/layers/tile_layers.h"
#include "server/tile/tile_service.h"
#include "server/world/world_library.h"

namespace thalweg::commands {
namespace {

// Cells on a side of a block: larger blocks have less margin, but exceed a processor's caches.
constexpr int kBlockCells = 512;
constexpr std::size_t kScratchBytes = std::size_t{512} << 20;
constexpr std::size_t kBlockBytes = std::size_t{1} << 30;

constexpr char kFooter[] =
    R"(Parts of 1,024 vertices on a side go to the folder DIR, each when it is finished. If the command is stopped, run
it again: finished parts are kept. `thalweg bake --from DIR --out FILE` writes rasters of them, on any machine.

Shards split a bake between machines that share a folder: each runs the same command with --shards N and its own
--shard I (0 to N - 1; the default is SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX or AWS_BATCH_JOB_ARRAY_INDEX of the
environment).

Example:
  thalwegd bake --world alpine --level 6 --x0 -8200 --y0 -1800 --width 8192 --height 8192 --parts alps.bake
  thalweg bake --from alps.bake --out alps.tif
  thalwegd bake --world blue-planet --level 6 --region 5,43,16,48 --parts region.bake)";

struct BakeCommand {
  std::string device = "auto";
  int threads = 0;
  std::string worlds;
  std::string world;
  // A rectangle of vertices, on a planet with a face; or pixels of a planet: all of it or a region.
  bake::Area area;
  std::optional<int> face;
  std::optional<bake::LatLongBox> region;
  std::vector<std::string> layers = {"height"};
  std::string parts;
  bake::Shard shard;
  bool json = false;
};

absl::StatusOr<std::shared_ptr<const world::World>> WorldOf(const BakeCommand& command) {
  if (command.worlds.empty()) return world::WorldLibrary::OfPresets()->Find(command.world);
  THALWEG_ASSIGN_OR_RETURN(const auto library, world::WorldLibrary::Open(command.worlds));
  for (const auto& problem : library->problems()) LogError(problem.status);
  return library->Find(command.world);
}

absl::StatusOr<tile::LayerChoice> BakedLayers(const BakeCommand& command,
                                              const world::World& world) {
  const std::vector<v1::Layer> offered = tile::LayersOf(world.layers());
  tile::LayerChoice layers = tile::LayerChoice::None();
  for (const std::string& name : command.layers) {
    const auto layer = wire::FindLayer(name);
    if (layer && std::find(offered.begin(), offered.end(), *layer) != offered.end()) {
      layers.Add(*layer);
      continue;
    }
    const std::string names = absl::StrJoin(offered, ", ", [](std::string* out, v1::Layer each) {
      absl::StrAppend(out, wire::FactsOf(each).name());
    });
    return wire::Invalid("--layer", absl::StrCat("one of ", names), name);
  }
  return layers;
}

absl::StatusOr<bake::Area> PlanetAreaOf(const BakeCommand& command, const world::World& world) {
  bake::Area area = command.area;
  if (command.region) {
    THALWEG_ASSIGN_OR_RETURN(area, bake::AreaOfRegion(area.level, *command.region));
  } else if (command.face) {
    area.face = *command.face;
  } else {
    return wire::Missing(
        "--face", absl::StrCat("0 to 5 with --x0, or --region instead, since world '", world.name(),
                               "' is a planet"));
  }
  THALWEG_RETURN_IF_ERROR(bake::CheckPlanetArea(area));
  return area;
}

absl::StatusOr<bake::Area> AreaOf(const BakeCommand& command, const world::World& world) {
  if (command.area.level >= world.levels()) {
    return wire::Invalid("--level", absl::StrCat("0 to ", world.levels() - 1), command.area.level);
  }
  if (world.spec().has_sphere()) return PlanetAreaOf(command, world);
  if (command.face || command.region) {
    return wire::Excluded(command.face ? "--face" : "--region",
                          absl::StrCat("world '", world.name(), "' is a plane"));
  }
  THALWEG_RETURN_IF_ERROR(bake::CheckArea(command.area, calls::ToProto(world).max_vertex()));
  return command.area;
}

// Values along a face's axes can't be combined with those of other faces.
absl::Status CheckLayers(const tile::LayerChoice& layers, const bake::Area& area) {
  for (const v1::Layer layer : layers.List()) {
    if (area.grid == bake::GridKind::kVertices || layer == v1::LAYER_COVER) continue;
    if (sampling::RuleOf(layer) == sampling::Rule::kBilinear) continue;
    return wire::Invalid("--layer", "one that does not follow the axes of a face, with --region",
                         wire::FactsOf(layer).name());
  }
  return absl::OkStatus();
}

// Shows progress: a line that is overwritten, or a JSON object for each part.
class Progress {
 public:
  Progress(const bake::LocalBake& bake, bool json) : parts_(bake.parts.size()), json_(json) {
    for (const bake::Part& part : bake.parts) {
      const bake::Area area = bake::Clipped(bake.area, part);
      vertices_ += area.width * area.height;
    }
  }

  void operator()(std::size_t done, std::int64_t vertices) const {
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    if (json_) {
      const std::string line = json::TextOf(
          {{"parts_done", done}, {"parts", parts_}, {"seconds", json::Rounded(seconds, 1)}});
      std::fprintf(stderr, "%s\n", line.c_str());
      return;
    }
    const double rate = static_cast<double>(vertices) / seconds;
    const bool ends = done == parts_;
    const double left = rate > 0 && !ends ? static_cast<double>(vertices_ - vertices) / rate : 0;
    std::fprintf(stderr, "\r%zu/%zu parts  %.2f Mvertices/s  %.0f s left%s", done, parts_,
                 rate / 1e6, left, ends ? "\n" : "  ");
    std::fflush(stderr);
  }

 private:
  const std::size_t parts_;
  const bool json_;
  std::int64_t vertices_ = 0;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

absl::StatusOr<std::string> RunBake(const BakeCommand& command) {
  THALWEG_ASSIGN_OR_RETURN(const auto world, WorldOf(command));
  THALWEG_ASSIGN_OR_RETURN(const bake::Area area, AreaOf(command, *world));
  THALWEG_ASSIGN_OR_RETURN(const tile::LayerChoice layers, BakedLayers(command, *world));
  THALWEG_RETURN_IF_ERROR(CheckLayers(layers, area));
  const std::vector<v1::Layer> list = layers.List();
  THALWEG_ASSIGN_OR_RETURN(
      const bake::PartStore store,
      bake::PartStore::Open(command.parts, {.world_id = world->hex_id(),
                                            .generator_version = world::kGeneratorVersion,
                                            .area = area,
                                            .layers = {list.begin(), list.end()},
                                            .world = calls::ToProto(*world).SerializeAsString()}));
  bake::LocalBake bake{.world = world->UpTo(area.level),
                       .area = area,
                       .layers = layers,
                       .parts = bake::PartsOf(area, command.shard)};
  bake.progress = Progress(bake, command.json);
  backend::BackendOptions backend_options;
  backend_options.threads = command.threads;
  backend_options.vulkan.device = command.device;
  backend_options.vulkan.scratch_budget_bytes = kScratchBytes;
  THALWEG_ASSIGN_OR_RETURN(auto backends, OpenBackends(backend_options));
  cache::TileCache no_cache(0);
  const field::FieldOptions options{.block_cells = kBlockCells, .block_budget_bytes = kBlockBytes};
  tile::TileService tiles(
      {.field = std::make_unique<field::Field>(std::move(backends), options), .cache = &no_cache});
  THALWEG_RETURN_IF_ERROR(bake::BakeLocally(tiles, bake, store));
  return absl::StrCat(command.parts, ": ", bake.parts.size(), " parts of ", world->name(),
                      " at level ", area.level, "\n");
}

int Bake(const BakeCommand& command) {
  const absl::StatusOr<std::string> text = RunBake(command);
  if (!text.ok()) {
    LogError(text.status());
    return kFailure;
  }
  return std::fputs(text->c_str(), stdout) >= 0 && std::fflush(stdout) == 0 ? kSuccess : kFailure;
}

}  // namespace

void AddBakeCommand(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand(
      "bake", "Compute a region of any size into a folder of parts, without a server");
  const auto options = std::make_shared<BakeCommand>();
  AddDeviceOption(*command, &options->device);
  AddThreadsOption(*command, &options->threads);
  command->add_option("--worlds", options->worlds, "Folder of worlds to use besides the presets")
      ->type_name("DIR");
  command->add_option("--world", options->world, "World by name or id; NAME@SEED for another seed")
      ->type_name("NAME")
      ->required();
  bake::Area& area = options->area;
  command_line::AddLevel(*command, area.level)->required();
  command_line::AddRectangle(*command, area.x0, area.y0, area.width, area.height);
  command_line::AddRegion(*command, options->region);
  command_line::AddFace(*command, options->face);
  command_line::Exclude(*command, "--region", "--face --x0 --y0 --width --height");
  command
      ->add_option("--layer", options->layers,
                   "Layers to bake, with commas between (default: height)")
      ->delimiter(',')
      ->type_name("NAME");
  command->add_option("--parts", options->parts, "Folder to write the parts to")
      ->type_name("DIR")
      ->required();
  command_line::AddShards(*command, options->shard.count, options->shard.index);
  command->add_flag("--json", options->json, "Print the progress as JSON, a line for each part");
  command->footer(kFooter);
  command->callback([options, command, exit_code] {
    if (!options->region) command_line::RequireAll(*command, command_line::kRectangle);
    command_line::CompleteShard(*command, options->shard.count, options->shard.index);
    *exit_code = Bake(*options);
  });
}

}  // namespace thalweg::commands
