// The sizes of height maps that engines import.
#pragma once

#include <cstdint>

#include "absl/status/status.h"
#include "client/tools/cli/arguments.h"

namespace thalweg::cli {

// INVALID_ARGUMENT, with the nearest valid sizes, unless the engine imports height maps of this
// size. Unity takes squares of 33 to 4,097 vertices, a power of two plus one (its manual, Terrain
// settings). Unreal takes whole sections and components (its manual, Landscape Technical Guide).
absl::Status CheckSizeFor(Engine engine, std::int64_t width, std::int64_t height);

// INVALID_ARGUMENT, with the nearest valid sizes, unless squares of `side` vertices that share
// their edge rows fill the region.
absl::Status CheckSquares(std::int64_t side, std::int64_t width, std::int64_t height);

}  // namespace thalweg::cli
