// The worlds that a server has: the presets, those of a folder, and those that callers create.
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <tuple>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/world/world.h"

namespace thalweg::world {

// Thread-safe. Worlds come and go; who holds one keeps it.
class WorldLibrary {
 public:
  using WorldPointer = std::shared_ptr<const World>;

  // Something about a file of the folder that its owner should know.
  struct Problem {
    std::string file_name;
    absl::Status status;
  };

  struct Options {
    // So many worlds may be there that were created; those kept from earlier runs count.
    std::size_t most_created = 64;
  };

  // A world that was asked to be created, and whether it was not there before.
  struct Creation {
    WorldPointer world;
    bool is_new = false;
  };

  // A library of the presets and of a folder's worlds. Files that Create kept (*.created.json) are
  // created worlds of nobody. A file that is no world is skipped and is a
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

  // Adds a world, which belongs to `owner` and, if it is to be kept, gets a file in the folder. The
  // same terrain is one world: when one with its id is there, that one is given, whatever its name.
  // INVALID_ARGUMENT for what World::Create refuses, unknown fields, and a name that reads as an
  // id; ALREADY_EXISTS when another world has the name; RESOURCE_EXHAUSTED when there are too many;
  // FAILED_PRECONDITION when a world is to be kept and there is no folder.
  absl::StatusOr<Creation> Create(const v1::WorldSpec& spec, bool keep, const std::string& owner);

  // Takes a created world away, and its file; by name or id. Without an owner, whosesoever it is;
  // NOT_FOUND as Find; FAILED_PRECONDITION when it was not created; PERMISSION_DENIED when it is
  // another owner's.
  absl::Status Delete(const std::string& name_or_id, const std::optional<std::string>& owner);

  // Finds a world by its name or by its id in 32 hexadecimal digits. `@` and a number behind either
  // asks for the same world with that seed: "alpine@7". NOT_FOUND names the worlds there are;
  // INVALID_ARGUMENT when a seed is not a number from 0 to 2^64 - 1.
  absl::StatusOr<WorldPointer> Find(const std::string& request) const;

  // Every world, ordered by name; those with asked seeds are not among them.
  std::vector<WorldPointer> worlds() const;

  const std::vector<Problem>& problems() const { return problems_; }

 private:
  // Name, id and seed: what has a deleted world's name may be another world.
  using SeedKey = std::tuple<std::string, std::string, std::uint64_t>;

  // A world and where it is from.
  struct Entry {
    WorldPointer world;
    bool created = false;
    // Of a created world; nobody's is empty.
    std::string owner;
    // The name of its file in the folder; empty if it has none.
    std::string file_name;
  };
  using Entries = std::map<std::string, Entry>;  // by name

  explicit WorldLibrary(const Options& options) : options_(options) {}
  static Options DefaultOptions() { return {}; }

  // These are called with the lock held, shared at least.
  absl::StatusOr<Entries::const_iterator> FindEntry(const std::string& name_or_id) const;
  const Entry* FindById(const std::string& hex_id) const;
  absl::Status CheckRoom(const World& world) const;

  absl::StatusOr<WorldPointer> FindStored(const std::string& name_or_id) const;
  WorldPointer FindReseeded(const WorldPointer& world, std::uint64_t seed) const;
  void AddFile(const std::string& file_name, absl::StatusOr<WorldPointer> world);
  // Writes the file of a created world unless it has one.
  absl::Status Keep(Entry& entry) const;

  const Options options_;
  // Empty: there is none.
  std::filesystem::path folder_;
  std::vector<Problem> problems_;

  // One creation or deletion at a time: they write files, and nobody else waits for that.
  std::mutex change_mutex_;
  mutable std::shared_mutex mutex_;
  Entries entries_;

  // The newest worlds with asked seeds, so that a stream of requests compiles one once.
  mutable std::mutex reseeded_mutex_;
  mutable std::map<SeedKey, WorldPointer> reseeded_;
  mutable std::deque<SeedKey> reseeded_order_;
};

}  // namespace thalweg::world
