// The claims on created worlds, and which claim makes room for another one.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace thalweg::world {

// The creator of worlds: a token, or a caller without one.
struct Owner {
  // The token's name; empty without one.
  std::string token = {};
  // Tells callers without a token apart, as far as that can be done; 0 with one. Used only to
  // decide whose claims make room, never for the right to delete.
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

// A claim among all of a server's.
struct ClaimedWorld {
  std::string world;
  Claim claim;
  // Greater when the world was used later.
  std::uint64_t last_use = 0;
};

// The claim that makes room for one more of `newcomer`; null when none may.
//
// Claims are shared out twice: between tokens, where all callers without one count as one, and
// between those callers. The owner with the most, counting the new claim, loses the least recently
// used one; on a tie the newcomer does. So no owner loses a claim to one that has more, and none
// gets a larger share by using more addresses. Kept claims count, and stay.
const ClaimedWorld* ClaimToEvict(const std::vector<ClaimedWorld>& claims, const Owner& newcomer);

}  // namespace thalweg::world
