#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "client/tools/bake/baker.h"
#include "client/tools/bake/part_region.h"
#include "client/tools/cli/bake_format.h"
#include "client/tools/cli/bake_levels.h"
#include "client/tools/cli/bake_planet.h"
#include "client/tools/cli/bake_tiles.h"
#include "client/tools/cli/commands.h"
#include "proto/bake/bake_plan.h"
#include "proto/bake/part_store.h"
#include "proto/base/json_text.h"
#include "proto/base/temporary.h"
#include "proto/base/whole_file.h"
#include "proto/wire/invalid.h"
#include "proto/wire/status_macros.h"

namespace thalweg::cli {
namespace {

namespace fs = std::filesystem;
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
  return wire::Invalid("--server", "HOST:PORT[,HOST:PORT...]", "''");
}

// Returns the world, which must be the same on all servers, bit for bit.
absl::StatusOr<WorldInfo> WorldOf(const Baking& baking) {
  std::optional<WorldInfo> first;
  for (const bake::BakeServer& server : baking.servers) {
    THALWEG_ASSIGN_OR_RETURN(const WorldInfo world,
                             server.client->GetWorld(baking.arguments.world));
    if (!first) first = world;
    if (world.id == first->id && world.generator_version == first->generator_version) continue;
    return absl::FailedPreconditionError(
        absl::StrCat("invalid --server: expected the same world '", world.name,
                     "' on all servers, got ", first->id, " of generator version ",
                     first->generator_version, " on ", baking.servers.front().name, " and ",
                     world.id, " of version ", world.generator_version, " on ", server.name));
  }
  return *std::move(first);
}

absl::Status CheckSizes(const BakeArguments& arguments, const Area& area) {
  const std::int64_t side = arguments.tile_side;
  if (side == 0) return CheckSizeFor(arguments.engine, area.width, area.height);
  THALWEG_RETURN_IF_ERROR(CheckSizeFor(arguments.engine, side, side));
  return CheckSquares(side, area.width, area.height);
}

absl::StatusOr<Area> AreaOf(const BakeArguments& arguments, const WorldInfo& world) {
  if (arguments.level >= world.levels) {
    return wire::Invalid("--level", absl::StrCat("0 to ", world.levels - 1), arguments.level);
  }
  if (world.radius_m > 0) {
    THALWEG_ASSIGN_OR_RETURN(const Area area, PlanetAreaOf(arguments));
    THALWEG_RETURN_IF_ERROR(CheckSizes(arguments, area));
    return area;
  }
  Area area{arguments.level, arguments.x0, arguments.y0, arguments.width, arguments.height};
  if (arguments.bounds) {
    const Bounds& bounds = *arguments.bounds;
    if (!(bounds.west < bounds.east) || !(bounds.north < bounds.south)) {
      return wire::Invalid(
          "--bounds", "W,N,E,S with W below E and N below S (y grows to the south)",
          absl::StrCat(bounds.west, ",", bounds.north, ",", bounds.east, ",", bounds.south));
    }
    const double cell_m = world.CellSizeM(arguments.level);
    constexpr double kFar = 9e15;
    for (const double edge : {bounds.west, bounds.north, bounds.east, bounds.south}) {
      if (std::abs(edge / cell_m) < kFar) continue;
      return wire::Invalid("--bounds", "edges within the world", edge,
                           absl::StatusCode::kOutOfRange);
    }
    area.x0 = std::llround(std::ceil(bounds.west / cell_m));
    area.y0 = std::llround(std::ceil(bounds.north / cell_m));
    area.width = std::llround(std::floor(bounds.east / cell_m)) - area.x0 + 1;
    area.height = std::llround(std::floor(bounds.south / cell_m)) - area.y0 + 1;
  }
  THALWEG_RETURN_IF_ERROR(bake::CheckArea(area, world.max_vertex));
  THALWEG_RETURN_IF_ERROR(CheckSizes(arguments, area));
  return area;
}

std::string NamesOf(const std::vector<Layer>& layers) {
  return absl::StrJoin(layers, ",",
                       [](std::string* out, Layer layer) { *out += LayerName(layer); });
}

absl::Status CheckLayers(const BakeArguments& arguments, const WorldInfo& world) {
  for (const Layer layer : arguments.layers) {
    if (world.Has(layer)) continue;
    return wire::Invalid(
        "--layer", absl::StrCat("one that world '", world.name, "' has, ", NamesOf(world.layers)),
        std::string(LayerName(layer)));
  }
  if (arguments.format->IsOfCover() && arguments.layers != std::vector{Layer::kCover}) {
    return wire::Invalid("--layer", kLayersOfWeights, NamesOf(arguments.layers));
  }
  for (const Layer layer : arguments.layers) {
    const bool packed = layer == Layer::kNormal || layer == Layer::kCover;
    if (!packed || arguments.format->has_packed) continue;
    return wire::Invalid(
        "--format",
        absl::StrCat(layer == Layer::kCover ? kFormatsWithCover : kFormatsWithNormals,
                     " for the layer ", std::string(LayerName(layer))),
        arguments.format->name);
  }
  return absl::OkStatus();
}

std::string Summary(const Baking& baking, const std::vector<std::string>& files, bool json) {
  if (!json) {
    return absl::StrFormat("%s: %d x %d vertices of %s at level %d\n", absl::StrJoin(files, ", "),
                           baking.area.width, baking.area.height, baking.world.name,
                           baking.area.level);
  }
  return json::TextOf({{"files", files},
                       {"world_id", baking.world.id},
                       {"level", baking.area.level},
                       {"width", baking.area.width},
                       {"height", baking.area.height}}) +
         "\n";
}

absl::Status CheckLayersThere(const std::vector<Layer>& there, const BakeArguments& arguments,
                              const WorldInfo& world) {
  if (arguments.format->layers == nullptr) return absl::OkStatus();
  const LayerLists lists = arguments.format->layers(arguments, world);
  if (std::ranges::find(lists, there) != lists.end()) return absl::OkStatus();
  return wire::Invalid(
      "--from", absl::StrCat("parts of --layer ", NamesOf(lists.front()), " for this format"),
      NamesOf(there));
}

absl::Status CheckOut(const std::string& path) {
  std::error_code ignored;
  if (!fs::is_directory(path, ignored)) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("--out: '", path, "' is a folder"));
}

// Writes files from existing parts.
absl::StatusOr<std::string> BakeFrom(const BakeArguments& arguments, bool json) {
  THALWEG_RETURN_IF_ERROR(CheckOut(arguments.out));
  if (arguments.format->kind == BakeKind::kMapTiles) {
    return absl::InvalidArgumentError(
        absl::StrCat("--format ", arguments.format->name,
                     " needs coarser levels too, which --from lacks: bake it from a server"));
  }
  THALWEG_ASSIGN_OR_RETURN(PartStore store, PartStore::OpenWhatIsThere(arguments.from));
  BakeArguments with_layers = arguments;
  with_layers.layers = bake::LayersOf(store.manifest());
  Baking baking{.arguments = with_layers};
  THALWEG_ASSIGN_OR_RETURN(baking.world, bake::WorldOf(store));
  baking.area = store.manifest().area;
  if (baking.world.radius_m > 0) {
    // The face comes from the parts, not from the options.
    with_layers.face = baking.area.face;
    THALWEG_RETURN_IF_ERROR(CheckShape(with_layers, baking.world));
  }
  THALWEG_RETURN_IF_ERROR(CheckLayersThere(with_layers.layers, arguments, baking.world));
  THALWEG_RETURN_IF_ERROR(CheckLayers(with_layers, baking.world));
  THALWEG_RETURN_IF_ERROR(CheckSizes(arguments, baking.area));
  THALWEG_RETURN_IF_ERROR(arguments.format->check(baking));
  const std::vector<BakedLevel> levels = {LevelOf(std::move(store))};
  THALWEG_RETURN_IF_ERROR(CheckComplete(levels));
  THALWEG_ASSIGN_OR_RETURN(const std::vector<std::string> files,
                           arguments.format->write(baking, levels));
  return Summary(baking, files, json);
}

// Bakes with servers.
absl::StatusOr<std::string> BakeFile(const std::string& servers, const ClientOptions& options,
                                     const BakeArguments& arguments, bool json) {
  THALWEG_RETURN_IF_ERROR(CheckOut(arguments.out));
  BakeArguments with_layers = arguments;
  Baking baking{.arguments = with_layers};
  THALWEG_RETURN_IF_ERROR(ConnectAll(servers, options, baking));
  THALWEG_ASSIGN_OR_RETURN(baking.world, WorldOf(baking));
  THALWEG_RETURN_IF_ERROR(CheckShape(arguments, baking.world));
  const BakeFormat& format = *arguments.format;
  if (format.layers != nullptr) {
    with_layers.layers = format.layers(arguments, baking.world).front();
  }
  THALWEG_RETURN_IF_ERROR(CheckLayers(with_layers, baking.world));
  THALWEG_ASSIGN_OR_RETURN(baking.area, AreaOf(arguments, baking.world));
  if (format.kind == BakeKind::kMapTiles) {
    baking.area = WholeTiles(baking.area);
    THALWEG_RETURN_IF_ERROR(bake::CheckArea(baking.area, baking.world.max_vertex));
  }
  THALWEG_RETURN_IF_ERROR(format.check(baking));
  const bool is_begun = fs::exists(arguments.out + ".bake");
  THALWEG_ASSIGN_OR_RETURN(const std::vector<BakedLevel> levels, OpenLevels(baking));
  const PartStore& store = levels.front().store;
  if (arguments.verify > 0) return Verify(baking, levels.front(), json);
  if (arguments.plan) {
    absl::StatusOr<std::string> plan = EstimateBake(baking, store, json);
    // A folder that is left would refuse the plan of another bake.
    if (!is_begun) THALWEG_RETURN_IF_ERROR(RemoveParts(levels));
    return plan;
  }
  if (!arguments.merge) {
    THALWEG_RETURN_IF_ERROR(WarnOfAnHour(baking, store, json));
    THALWEG_ASSIGN_OR_RETURN(const std::size_t parts, FetchLevels(baking, levels, json));
    if (arguments.shards > 1) {
      return json ? json::TextOf({{"shard", arguments.shard}, {"parts", parts}}) + "\n"
                  : absl::StrCat("shard ", arguments.shard, " of ", arguments.shards, ": ", parts,
                                 " parts in ", store.folder(), "\n");
    }
  }
  THALWEG_RETURN_IF_ERROR(CheckComplete(levels));
  THALWEG_ASSIGN_OR_RETURN(const std::vector<std::string> files, format.write(baking, levels));
  if (!arguments.keep_parts) THALWEG_RETURN_IF_ERROR(RemoveParts(levels));
  return Summary(baking, files, json);
}

std::string HostName() {
  std::array<char, 256> name = {};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

// Whether a path still leads to an open file: the holder before may have removed it.
bool IsAt(const std::string& path, int file) {
  struct stat opened {};
  struct stat named {};
  return fstat(file, &opened) == 0 && stat(path.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

// Returns " (process 123)", with the host if it is not this one; nothing if the holder has not told
// it yet. A container is a host, since its processes have numbers of their own.
std::string HolderOf(int file) {
  std::array<char, 512> bytes;
  const ssize_t size = pread(file, bytes.data(), bytes.size(), 0);
  const std::string text(bytes.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
  const std::size_t space = text.find(' ');
  const std::size_t end = text.find('\n');
  if (space == std::string::npos || end == std::string::npos || space > end) return "";
  const std::string host = text.substr(space + 1, end - space - 1);
  return absl::StrCat(" (process ", text.substr(0, space),
                      host == HostName() ? "" : absl::StrCat(" on ", host), ")");
}

// Held while a bake writes a file. The lock is one of the kernel, on FILE.bake.lock, so it ends
// with its process; what a killed bake leaves of it stops nobody, and goes with the next bake.
class BakeLock {
 public:
  // FAILED_PRECONDITION if another process bakes the file. In a folder or on a file system where
  // nothing can be locked, nothing is, and no file is left.
  static absl::StatusOr<std::unique_ptr<BakeLock>> Acquire(const std::string& out);
  // Removes the lock's file.
  ~BakeLock();
  BakeLock(const BakeLock&) = delete;
  BakeLock& operator=(const BakeLock&) = delete;

 private:
  explicit BakeLock(int file);

  // Of the lock's file; empty until the lock is taken.
  std::string path_;
  const files::Descriptor file_;
};

BakeLock::BakeLock(int file) : file_(file) {}

BakeLock::~BakeLock() {
  // Before the lock ends: a process that takes the lock of a removed file notices it.
  if (!path_.empty()) unlink(path_.c_str());
}

absl::StatusOr<std::unique_ptr<BakeLock>> BakeLock::Acquire(const std::string& out) {
  const std::string path = absl::StrCat(out, ".bake.lock");
  for (;;) {
    std::unique_ptr<BakeLock> lock(
        new BakeLock(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666)));
    const int file = lock->file_.number();
    // What is wrong with the folder, the bake says when it writes there.
    if (file < 0) return lock;
    if (flock(file, LOCK_EX | LOCK_NB) != 0) {
      if (errno == EWOULDBLOCK) {
        return absl::FailedPreconditionError(
            absl::StrCat("another bake", HolderOf(file), " is writing '", out,
                         "'; wait for it or choose another --out"));
      }
      unlink(path.c_str());
      return lock;
    }
    if (!IsAt(path, file)) continue;
    lock->path_ = path;
    const std::string holder = absl::StrCat(getpid(), " ", HostName(), "\n");
    // The number is only for the message.
    if (ftruncate(file, 0) == 0) files::WriteAll(file, path, holder).IgnoreError();
    return lock;
  }
}

// Whether a bake writes files, or takes the parts away. Shards share a folder of parts, and plans
// and checks look at one that a bake fills.
bool IsAlone(const BakeArguments& arguments) {
  const bool is_shard = arguments.shards > 1 && !arguments.merge;
  return !is_shard && !arguments.plan && arguments.verify == 0;
}

// Removes what killed bakes left beside the files of this one.
void RemoveAbandonedOutputs(const std::string& out) {
  const std::string stem = fs::path(out).stem().string();
  files::RemoveAbandoned(fs::path(out).parent_path().string(),
                         [&](std::string_view target) { return target.starts_with(stem); });
}

// Writes six files, each as its own bake.
absl::StatusOr<std::string> BakeCube(const std::string& servers, const ClientOptions& options,
                                     const BakeArguments& arguments, bool json) {
  std::string text;
  const fs::path out(arguments.out);
  for (int face = 0; face < sphere::kFaces; ++face) {
    BakeArguments one = arguments;
    one.cube_face = face;
    const auto name = bake::kCubeFaceNames[static_cast<std::size_t>(face)];
    one.out = (out.parent_path() /
               absl::StrCat(out.stem().string(), "-", std::string(name), out.extension().string()))
                  .string();
    THALWEG_ASSIGN_OR_RETURN(const std::string told, BakeFile(servers, options, one, json));
    text += told;
  }
  return text;
}

}  // namespace

absl::StatusOr<std::string> Bake(const std::string& servers, const ClientOptions& options,
                                 const BakeArguments& arguments, bool json) {
  std::unique_ptr<BakeLock> lock;
  if (IsAlone(arguments)) {
    THALWEG_ASSIGN_OR_RETURN(lock, BakeLock::Acquire(arguments.out));
  }
  RemoveAbandonedOutputs(arguments.out);
  if (!arguments.from.empty()) return BakeFrom(arguments, json);
  if (arguments.whole == Whole::kCube) return BakeCube(servers, options, arguments, json);
  return BakeFile(servers, options, arguments, json);
}

}  // namespace thalweg::cli
