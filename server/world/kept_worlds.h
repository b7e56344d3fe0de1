// The files of created worlds that callers asked to keep.
#pragma once

#include <compare>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "server/world/world.h"

namespace thalweg::world {

// The creator of worlds: a token, or a caller without one.
struct Owner {
  // The token's name; empty without one.
  std::string token = {};
  // Tells callers without a token apart, as well as possible; 0 with a token. Used only to decide
  // whose claims are evicted, never for the right to delete.
  std::uint64_t client = 0;

  // NOLINTNEXTLINE(modernize-use-nullptr): what clang-tidy 14 takes the comparison with 0 for.
  friend auto operator<=>(const Owner&, const Owner&) = default;
};

// An owner's claim on a world.
struct Claim {
  // Absent: the claim is from an earlier run of the server.
  std::optional<Owner> owner;
  // A kept claim is never evicted, and its world has a file.
  bool keep = false;
};

// A claim, with its world.
struct ClaimedWorld {
  std::string world;
  Claim claim;
  // The larger, the later the world was used.
  std::uint64_t last_use = 0;
};

// The claim to evict for one more claim of `newcomer`; null if none may be evicted.
//
// Shares are compared twice: between tokens, where all callers without one count as one, and
// between those callers. The owner with the most claims, counting the new one, loses its least
// recently used one; on a tie the newcomer does. So no owner loses a claim to one that has more,
// and none gets a larger share by using more addresses. Kept claims count, but are never evicted.
const ClaimedWorld* ClaimToEvict(const std::vector<ClaimedWorld>& claims, const Owner& newcomer);

// NAME.created.json: distinguishes files that a server wrote, and may delete, from the operator's.
std::string KeptFileName(const std::string& world_name);
bool IsKeptFile(const std::string& file_name);

// Writes a world's specification to a file. The file gets its name only when it is complete and on
// the disk. Unless it may replace an older one, ALREADY_EXISTS if a file of that name exists; else
// the system's error.
absl::Status WriteKeptWorld(const std::filesystem::path& folder, const World& world,
                            bool may_replace);

// Removes what servers that died while they wrote kept worlds have left.
void RemoveAbandonedWorlds(const std::filesystem::path& folder);

// Deletes the file of a kept world, also on the disk; a missing file is not an error.
absl::Status DeleteKeptWorld(const std::filesystem::path& folder, const std::string& file_name);

}  // namespace thalweg::world
