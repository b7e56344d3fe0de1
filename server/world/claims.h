// Who has a claim on a created world, and whose claim makes room for another one.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace thalweg::world {

// Who creates worlds: a token, or a caller without one.
struct Owner {
  // The token's name; empty without one.
  std::string token = {};
  // Tells callers without a token apart, as far as that can be done; 0 with one. It decides whose
  // worlds make room, never who may delete one.
  std::uint64_t client = 0;

  // NOLINTNEXTLINE(modernize-use-nullptr): what clang-tidy 14 takes the comparison with 0 for.
  friend auto operator<=>(const Owner&, const Owner&) = default;
};

// That somebody wants a world.
struct Claim {
  // Nobody's: of an earlier run of the server.
  std::optional<Owner> owner;
  // Makes room for no other; the world has a file.
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
// between the callers of that one. Whoever has the most, the new claim among them, loses the least
// recently used; on a tie that is the newcomer. So nobody loses a claim to one who has more, and
// nobody gets a larger share by showing more addresses. Kept claims count, and stay.
const ClaimedWorld* ClaimToEvict(const std::vector<ClaimedWorld>& claims, const Owner& newcomer);

}  // namespace thalweg::world
