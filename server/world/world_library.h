// The worlds that a server has: the presets, and those of a folder.
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/world/world.h"

namespace thalweg::world {

// Thread-safe. What it has does not change.
class WorldLibrary {
 public:
  using WorldPointer = std::shared_ptr<const World>;

  // Something about a file of the folder that its owner should know.
  struct Problem {
    std::string file_name;
    absl::Status status;
  };

  // A library of the presets and of a folder's worlds. A file that is no world is skipped and is a
  // problem; so is the second of two files with one name. A file with a preset's name replaces it,
  // which is a problem of code ALREADY_EXISTS. NOT_FOUND or PERMISSION_DENIED when the folder can't
  // be read.
  static absl::StatusOr<std::unique_ptr<WorldLibrary>> Open(const std::filesystem::path& folder);

  // A library of the presets alone.
  static std::unique_ptr<WorldLibrary> OfPresets();

  // A library of these worlds, each with a name of its own.
  static std::unique_ptr<WorldLibrary> Of(const std::vector<WorldPointer>& worlds);

  // Finds a world by its name or by its id in 32 hexadecimal digits. `@` and a number behind either
  // asks for the same world with that seed: "alpine@7". NOT_FOUND names the worlds there are;
  // INVALID_ARGUMENT when a seed is not a number from 0 to 2^64 - 1.
  absl::StatusOr<WorldPointer> Find(const std::string& request) const;

  // Every world, ordered by name; those with asked seeds are not among them.
  std::vector<WorldPointer> worlds() const;

  const std::vector<Problem>& problems() const { return problems_; }

 private:
  using SeedKey = std::pair<std::string, std::uint64_t>;  // name and seed

  WorldLibrary() = default;

  absl::StatusOr<WorldPointer> FindStored(const std::string& name_or_id) const;
  WorldPointer FindReseeded(const WorldPointer& world, std::uint64_t seed) const;
  void AddFile(const std::string& file_name, absl::StatusOr<WorldPointer> world);

  std::map<std::string, WorldPointer> by_name_;
  std::map<std::string, std::string> file_of_name_;  // presets have none
  std::vector<Problem> problems_;

  // The newest worlds with asked seeds, so that a stream of requests compiles one once.
  mutable std::mutex mutex_;
  mutable std::map<SeedKey, WorldPointer> reseeded_;
  mutable std::deque<SeedKey> reseeded_order_;
};

}  // namespace thalweg::world
