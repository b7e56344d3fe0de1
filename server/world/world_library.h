// The worlds that a server has: the presets, those of a folder, and those that callers create.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <shared_mutex>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/sharing/lru_cache.h"
#include "server/sharing/single_flight.h"
#include "server/world/elevation.h"
#include "server/world/kept_worlds.h"
#include "server/world/world.h"

namespace thalweg::world {

using WorldPointer = std::shared_ptr<const World>;

// Takes a world or an error. Called once, without any lock held.
using TakeWorld = absl::AnyInvocable<void(absl::StatusOr<WorldPointer>) &&>;

// Runs the work now or later, on any thread; after an error it never runs.
using RunWork = absl::FunctionRef<absl::Status(absl::AnyInvocable<void() &&>)>;

// Worlds with a seed that a caller chose: "alpine@7". Thread-safe. Keeps the most recently used
// worlds, so that a stream of requests compiles a world once. If several callers ask for a missing
// world at a time, it is compiled once.
class ReseededWorlds {
 public:
  // Makes a world with another seed.
  using Reseed = std::function<WorldPointer(const World&, std::uint64_t)>;

  explicit ReseededWorlds(Reseed reseed) : reseed_(std::move(reseed)) {}

  // Calls `take` with the world of that seed: before it returns if the world is kept, else when the
  // world is compiled, by this call's `run` or by that of an earlier call.
  void Find(const WorldPointer& world, std::uint64_t seed, RunWork run, TakeWorld take);

 private:
  // Name, id and seed. The id is needed since, after a deletion, another world may have the name.
  using Key = std::tuple<std::string, std::string, std::uint64_t>;

  // How many worlds are kept.
  static constexpr std::size_t kMaxReseeded = 256;

  const Reseed reseed_;
  sharing::LruCache<Key, WorldPointer> kept_{kMaxReseeded};
  sharing::SingleFlight<Key, TakeWorld> compiling_;
};

// The JSON of the presets (server/world/presets/*.json), ordered by file name. The build writes
// this function. The texts live as long as the program.
std::span<const char* const> PresetTexts();

// Thread-safe. Worlds may be removed; a pointer keeps its world alive.
class WorldLibrary {
 public:
  using WorldPointer = world::WorldPointer;

  // A problem with a file of the folder, for the operator.
  struct Problem {
    std::string file_name;
    absl::Status status;
  };

  struct Options {
    // Max claims on created worlds; claims from earlier runs of the server count.
    std::size_t max_created = 64;
    // Tests replace it to delay it.
    ReseededWorlds::Reseed reseed = &World::Reseeded;
  };

  struct CreateOptions {
    // Whether the claim is kept, with a file in the folder.
    bool keep = false;
    // Whether the world may take the place of one with other terrain.
    bool replace = false;
    // Whether the caller may replace the worlds of others.
    bool is_administrator = false;
  };

  // A created world.
  struct Creation {
    WorldPointer world;
    // Whether no world of its name had this terrain before.
    bool is_new = false;
    // Whether it took the place of one of its name.
    bool has_replaced = false;
    // See WarningsOf.
    std::vector<std::string> warnings = {};
  };

  // The result of a deletion.
  struct Deletion {
    // False while other owners have a claim on the world.
    bool is_gone = false;
  };

  // A part of the list of all worlds, and whether more follow.
  struct Page {
    std::vector<WorldPointer> worlds;
    bool has_more = false;
  };

  // A library of the presets and of a folder's worlds. Files that Create kept (*.created.json) are
  // created worlds without an owner. An invalid file is skipped and reported as a problem; so is
  // the second of two files with one name. A file with a preset's name replaces it, which is a
  // problem of code ALREADY_EXISTS. NOT_FOUND or PERMISSION_DENIED if the folder can't be read.
  static absl::StatusOr<std::unique_ptr<WorldLibrary>> Open(
      const std::filesystem::path& folder, const Options& options = DefaultOptions());

  // A library of only the presets.
  static std::unique_ptr<WorldLibrary> OfPresets(const Options& options = DefaultOptions());

  // A library of these worlds, whose names must differ.
  static std::unique_ptr<WorldLibrary> Of(const std::vector<WorldPointer>& worlds,
                                          const Options& options = DefaultOptions());

  // Adds a world with a claim of `owner`. If there is the same world already, returns that one,
  // with a further claim. A world that differs in what does not decide its terrain, such as the
  // showplace, takes the place of the one of its name; with `replace`, any world does. That one
  // must be a created one on which nobody else has a claim and, for callers without a token, none
  // that is kept; administrators may replace any created world. Worlds of several names may have
  // one terrain and id.
  //
  // If there are too many claims, one that is not kept is evicted (see ClaimToEvict); its world is
  // removed with the last claim. INVALID_ARGUMENT as World::Create, and for unknown fields and a
  // name that looks like an id; ALREADY_EXISTS if another world has the name and can't be replaced;
  // RESOURCE_EXHAUSTED if no claim may be evicted, or half of them are kept; FAILED_PRECONDITION if
  // the world is to be kept but the library has no folder. Compiles the world, and may wait for a
  // disk.
  absl::StatusOr<Creation> Create(const v1::WorldSpec& spec, const CreateOptions& options,
                                  const Owner& owner);

  // Withdraws an owner's claim on a created world, found by name or id; without an owner, all
  // claims. The file is removed with the last kept claim, the world with the last claim. NOT_FOUND
  // as Find; FAILED_PRECONDITION if the world was not created by a caller; PERMISSION_DENIED if the
  // owner has no claim, or no token. May wait for a disk.
  absl::StatusOr<Deletion> Delete(const std::string& name_or_id, const std::optional<Owner>& owner);

  // Finds a world by its name or by its id in 32 hexadecimal digits. `@` and a number behind either
  // asks for the same world with that seed: "alpine@7". NOT_FOUND names existing worlds;
  // INVALID_ARGUMENT if a seed is not a number from 0 to 2^64 - 1. Counts as a use of the world.
  // May compile the world, or wait until it is compiled.
  absl::StatusOr<WorldPointer> Find(const std::string& request) const;

  // As Find, but never waits: calls `take` in the call, or when the world is compiled.
  void FindThen(const std::string& request, RunWork run, TakeWorld take) const;

  // Counts a use of the request's world, if it exists.
  void MarkUsed(const std::string& request) const;

  // Every world, ordered by name, without the reseeded ones.
  std::vector<WorldPointer> worlds() const;

  // The worlds whose names come after this one, ordered by name: as many as both limits allow, but
  // at least one.
  Page PageAfter(const std::string& name, std::size_t max_worlds, std::size_t max_bytes) const;

  const std::vector<Problem>& problems() const { return problems_; }

 private:
  // A world and its origin.
  struct Entry {
    WorldPointer world;
    bool created = false;
    // A created world has at least one claim, and at most one for each owner.
    std::vector<Claim> claims;
    // The name of its file in the folder; empty if it has none.
    std::string file_name;
    mutable std::atomic<std::uint64_t> last_use{0};
  };
  using Entries = std::map<std::string, Entry>;  // by name

  explicit WorldLibrary(const Options& options) : options_(options), reseeded_(options.reseed) {}
  static Options DefaultOptions() { return {}; }

  // The next functions are called with the lock held, shared or exclusively.
  absl::StatusOr<Entries::const_iterator> FindEntry(const std::string& name_or_id) const;
  Entries::const_iterator FindById(const std::string& hex_id) const;
  void Use(const Entry& entry) const { entry.last_use.store(++uses_, std::memory_order_relaxed); }

  absl::StatusOr<WorldPointer> FindStored(const std::string& name_or_id) const;
  void AddFile(const std::string& file_name, absl::StatusOr<WorldPointer> world);
  // Called with the lock held exclusively.
  Entry& Put(const WorldPointer& world);
  void Erase(const std::string& name);

  // Steps of a creation or deletion; called with change_mutex_ held.
  // What stands in the way of a world: OK if nothing of its name does, or what does may be
  // replaced.
  absl::Status CheckPlaceOf(const World& world, const CreateOptions& options,
                            const Owner& owner) const;
  std::vector<ClaimedWorld> Claims() const;
  absl::Status CheckKeep(const World& world, const std::vector<ClaimedWorld>& claims) const;
  absl::StatusOr<std::optional<ClaimedWorld>> MakeRoom(const World& world,
                                                       const std::vector<ClaimedWorld>& claims,
                                                       const Owner& owner) const;
  void Withdraw(const std::string& name, const std::optional<Owner>& owner);

  const Options options_;
  // Empty if the library has no folder.
  std::filesystem::path folder_;
  // Finds the folder's real land.
  FindElevation find_elevation_;
  std::vector<Problem> problems_;

  // Held by a creation or deletion, which writes files; lookups do not wait for it. Entries change
  // only while it is held, so its holder may read them without the other lock.
  std::mutex change_mutex_;
  mutable std::shared_mutex mutex_;
  Entries entries_;
  // The id in hexadecimal, and the name.
  std::set<std::pair<std::string, std::string>> names_by_id_;
  mutable std::atomic<std::uint64_t> uses_{0};

  mutable ReseededWorlds reseeded_;
};

}  // namespace thalweg::world
