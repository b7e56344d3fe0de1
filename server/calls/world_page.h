// The list of worlds, a page at a time (https://google.aip.dev/158).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "server/world/world_library.h"

namespace thalweg::calls {

inline constexpr std::int32_t kDefaultPageSize = 100;
inline constexpr std::int32_t kMaxPageSize = 1'000;
// Limit of a page's specifications: its message stays far below the 4 MiB that gRPC's clients take.
inline constexpr std::size_t kMaxPageBytes = 1 << 20;

struct WorldPage {
  std::vector<world::WorldPointer> worlds;
  // The last world's name; empty on the last page.
  std::string next_token;
};

// The page after the one that gave the token; an empty token begins the list. Size 0 is the
// default. INVALID_ARGUMENT for a negative size, or a token that no page can have given.
absl::StatusOr<WorldPage> PageOf(const world::WorldLibrary& worlds, std::int32_t size,
                                 const std::string& token);

}  // namespace thalweg::calls
