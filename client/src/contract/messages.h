// Conversion between the contract's messages and the plain structs of the public headers.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "client/src/contract/checked_response.h"
#include "thalweg/tile.h"
#include "thalweg/v1/terrain.pb.h"
#include "thalweg/world_info.h"

namespace thalweg {

// The world as a plain struct; layers that this client does not know are left out. INTERNAL if the
// contract does not allow it.
absl::StatusOr<WorldInfo> FromMessage(const v1::World& message);

// A specification as people write it: JSON, which begins with a brace, or Protobuf's text form.
// INVALID_ARGUMENT names an unknown field or the place of a mistake.
absl::StatusOr<v1::WorldSpec> ParseWorldSpec(const std::string& specification);

TileKey FromMessage(const v1::TileKey& message);

// The tile, decoded, with the form's layers in their order. DATA_LOSS if it has another form or
// breaks the contract.
absl::StatusOr<Tile> FromMessage(const v1::Tile& message, const TileForm& form);

v1::GetTileRequest TileRequestMessage(const std::string& world, const TileKey& key,
                                      const TileOptions& options);

v1::StreamTilesRequest StreamRequestMessage(const std::string& world,
                                            const TileRectangle& rectangle,
                                            const TileOptions& options);

// "8/3/-1": level, x and y.
std::string Describe(const TileKey& key);

}  // namespace thalweg
