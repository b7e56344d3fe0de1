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
// Of specifications: as a message, a page is far below the 4 MiB that gRPC's clients take.
inline constexpr std::size_t kMaxPageBytes = 1 << 20;

struct WorldPage {
  std::vector<world::WorldPointer> worlds;
  // The last world's name; empty on the last page.
  std::string next_token;
};

// The page that follows the one which gave the token; empty begins the list. A size of 0 is the
// default one. INVALID_ARGUMENT when the size is negative, or no page gave such a token.
absl::StatusOr<WorldPage> PageOf(const world::WorldLibrary& worlds, std::int32_t size,
                                 const std::string& token);

}  // namespace thalweg::calls
