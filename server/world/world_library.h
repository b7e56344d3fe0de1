// The worlds that a server has: the presets, those of a folder, and those that callers create.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <shared_mutex>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/world/claims.h"
#include "server/world/reseeded_worlds.h"
#include "server/world/world.h"

namespace thalweg::world {

// Thread-safe. Worlds come and go; who holds one keeps it.
class WorldLibrary {
 public:
  using WorldPointer = world::WorldPointer;

  // Something about a file of the folder that its owner should know.
  struct Problem {
    std::string file_name;
    absl::Status status;
  };

  struct Options {
    // Max claims on created worlds; those kept from earlier runs count.
    std::size_t max_created = 64;
    // Tests hold it back.
    ReseededWorlds::Reseed reseed = &World::Reseeded;
  };

  // A world that was asked to be created, and whether it was not there before.
  struct Creation {
    WorldPointer world;
    bool is_new = false;
  };

  // What a deletion did.
  struct Deletion {
    // Not while others have a claim on the world.
    bool is_gone = false;
  };

  // Part of the list of all worlds, and whether others follow.
  struct Page {
    std::vector<WorldPointer> worlds;
    bool has_more = false;
  };

  // A library of the presets and of a folder's worlds. Files that Create kept (*.created.json) are
  // created worlds that nobody owns. A file that is no world is skipped and is a
  // problem; so is the second of two files with one name. A file with a preset's name replaces it,
  // which is a problem of code ALREADY_EXISTS. NOT_FOUND or PERMISSION_DENIED when the folder can't
  // be read.
  static absl::StatusOr<std::unique_ptr<WorldLibrary>> Open(
      const std::filesystem::path& folder, const Options& options = DefaultOptions());

  // A library of the presets alone.
  static std::unique_ptr<WorldLibrary> OfPresets(const Options& options = DefaultOptions());

  // A library of these worlds, each with a name of its own.
  static std::unique_ptr<WorldLibrary> Of(const std::vector<WorldPointer>& worlds,
                                          const Options& options = DefaultOptions());

  // Adds a world on which `owner` then has a claim; a kept claim gives it a file in the folder. The
  // same terrain is one world: when one with its id is there, that one is given, whatever its name,
  // and the owner has a claim on it beside others. When there are too many claims, one that is not
  // kept makes room (see ClaimToEvict), and takes its world with it if it is the last one.
  // INVALID_ARGUMENT for what World::Create refuses, unknown fields, and a name that reads as an
  // id; ALREADY_EXISTS when another world has the name; RESOURCE_EXHAUSTED when no claim may make
  // room, or half of them are kept; FAILED_PRECONDITION when a world is to be kept and there is no
  // folder. Compiles the world, and may wait for a disk.
  absl::StatusOr<Creation> Create(const v1::WorldSpec& spec, bool keep, const Owner& owner);

  // Takes back an owner's claim on a created world, found by name or id, and without an owner all
  // claims. The last one that is kept takes the file with it, the last one the world. NOT_FOUND as
  // Find; FAILED_PRECONDITION when it was not created; PERMISSION_DENIED when the owner has no
  // claim, or no token. May wait for a disk.
  absl::StatusOr<Deletion> Delete(const std::string& name_or_id, const std::optional<Owner>& owner);

  // Finds a world by its name or by its id in 32 hexadecimal digits. `@` and a number behind either
  // asks for the same world with that seed: "alpine@7". NOT_FOUND names worlds there are;
  // INVALID_ARGUMENT when a seed is not a number from 0 to 2^64 - 1. A world that was found has
  // been used. May compile the world, or wait until it is compiled.
  absl::StatusOr<WorldPointer> Find(const std::string& request) const;

  // The same for threads that must not wait: inside the call, or when `run` has compiled the world.
  void FindThen(const std::string& request, RunWork run, TakeWorld take) const;

  // Takes note that somebody uses the world of a request, if it is there.
  void MarkUsed(const std::string& request) const;

  // Every world, ordered by name; those with asked seeds are not among them.
  std::vector<WorldPointer> worlds() const;

  // Those whose names come after this one, in the same order: max so many, and max so many bytes of
  // specifications, but one at least.
  Page PageAfter(const std::string& name, std::size_t max_worlds, std::size_t max_bytes) const;

  const std::vector<Problem>& problems() const { return problems_; }

 private:
  // A world and where it is from.
  struct Entry {
    WorldPointer world;
    bool created = false;
    // Of a created world, one at least; each owner has one.
    std::vector<Claim> claims;
    // The name of its file in the folder; empty if it has none.
    std::string file_name;
    mutable std::atomic<std::uint64_t> last_use{0};
  };
  using Entries = std::map<std::string, Entry>;  // by name

  explicit WorldLibrary(const Options& options) : options_(options), reseeded_(options.reseed) {}
  static Options DefaultOptions() { return {}; }

  // These are called with the lock held, shared at least.
  absl::StatusOr<Entries::const_iterator> FindEntry(const std::string& name_or_id) const;
  Entries::const_iterator FindById(const std::string& hex_id) const;
  void Use(const Entry& entry) const { entry.last_use.store(++uses_, std::memory_order_relaxed); }

  absl::StatusOr<WorldPointer> FindStored(const std::string& name_or_id) const;
  void AddFile(const std::string& file_name, absl::StatusOr<WorldPointer> world);
  // Called with the lock held alone.
  Entry& Put(const WorldPointer& world);
  void Erase(const std::string& name);

  // What a creation or deletion consists of; called with change_mutex_ held.
  std::vector<ClaimedWorld> Claims() const;
  absl::Status CheckKeep(const World& world, const std::vector<ClaimedWorld>& claims) const;
  absl::StatusOr<std::optional<ClaimedWorld>> MakeRoom(const World& world,
                                                       const std::vector<ClaimedWorld>& claims,
                                                       const Owner& owner) const;
  void Withdraw(const std::string& name, const std::optional<Owner>& owner);

  const Options options_;
  // Empty: there is none.
  std::filesystem::path folder_;
  // Real land of the folder.
  FindElevation find_elevation_;
  std::vector<Problem> problems_;

  // One creation or deletion at a time: they write files, and nobody else waits for that. Entries
  // change under it alone, so that they may be read without the other one.
  std::mutex change_mutex_;
  mutable std::shared_mutex mutex_;
  Entries entries_;
  // Id in hexadecimal, and name.
  std::set<std::pair<std::string, std::string>> names_by_id_;
  mutable std::atomic<std::uint64_t> uses_{0};

  mutable ReseededWorlds reseeded_;
};

}  // namespace thalweg::world
