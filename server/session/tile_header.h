// What a session reads of a tile's bytes, without the layers' data.
#pragma once

#include <string_view>

#include "absl/status/statusor.h"
#include "proto/lod/tile_facts.h"

namespace thalweg::session {

// The facts that a serialized thalweg.v1.Tile tells. INTERNAL when it is none, or has no height.
absl::StatusOr<lod::TileFacts> ReadFacts(std::string_view tile);

}  // namespace thalweg::session
