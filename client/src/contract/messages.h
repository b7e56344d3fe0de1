// Conversion between the contract's messages and the plain structs of the public headers.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "client/src/contract/checked_response.h"
#include "thalweg/tile.h"
#include "thalweg/v1/terrain.pb.h"
#include "thalweg/world_info.h"

namespace thalweg {

// Converts a world; layers that this client does not know are left out. INTERNAL if the contract
// does not allow it.
absl::StatusOr<WorldInfo> FromMessage(const v1::World& message);

// Reads a specification: JSON, which begins with a brace, or Protobuf's text form. INVALID_ARGUMENT
// names an unknown field or the place of a mistake.
absl::StatusOr<v1::WorldSpec> ParseWorldSpec(const std::string& specification);

TileKey FromMessage(const v1::TileKey& message);

// Decodes a tile, with the form's layers in their order. DATA_LOSS if the tile has another form or
// breaks the contract.
absl::StatusOr<Tile> FromMessage(const v1::Tile& message, const TileForm& form);

v1::GetTileRequest TileRequestMessage(const std::string& world, const TileKey& key,
                                      const TileOptions& options);

v1::StreamTilesRequest StreamRequestMessage(const std::string& world,
                                            const TileRectangle& rectangle,
                                            const TileOptions& options);

// Returns level, x and y, such as "8/3/-1".
std::string Describe(const TileKey& key);

}  // namespace thalweg
