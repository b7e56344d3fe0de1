// Worlds that calls name and list.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "server/calls/engine.h"
#include "server/world/world.h"
#include "server/world/world_library.h"
#include "thalweg/v1/terrain.pb.h"

namespace thalweg::calls {

// WorldLibrary::Find for a client's call (Admission::client): calls `take` before it returns, or on
// one of the engine's compilers. Errors are also those of SharedWorkers::Run.
void FindWorld(const Engine& engine, std::uint64_t client, const std::string& request,
               world::TakeWorld take);

// A world as clients see it.
v1::World ToProto(const world::World& world);

// The list of worlds in pages (https://google.aip.dev/158).
inline constexpr std::int32_t kDefaultPageSize = 100;
inline constexpr std::int32_t kMaxPageSize = 1'000;
// Max bytes of a page's specifications: far below the 4 MiB that gRPC's clients accept.
inline constexpr std::size_t kMaxPageBytes = 1 << 20;

struct WorldPage {
  std::vector<world::WorldPointer> worlds;
  // The name of the last world; empty on the last page.
  std::string next_token;
};

// The page after the one that returned the token; an empty token means the first one. Size 0 means
// the default. INVALID_ARGUMENT for a negative size, or a token that no page can have returned.
absl::StatusOr<WorldPage> PageOf(const world::WorldLibrary& worlds, std::int32_t size,
                                 const std::string& token);

}  // namespace thalweg::calls
