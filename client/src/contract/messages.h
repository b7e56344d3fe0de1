// Conversion between the contract's messages and the plain structs of the public headers.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "client/src/contract/checked_response.h"
#include "proto/wire/tile_key.h"
#include "thalweg/tile.h"
#include "thalweg/v1/terrain.pb.h"
#include "thalweg/v1/tile.pb.h"
#include "thalweg/world_info.h"

namespace thalweg {

// Conversion between the keys of the public headers and those of `proto`.
inline TileKey ToPublic(const wire::TileKey& key) {
  return {.level = key.level, .x = key.x, .y = key.y, .face = key.face};
}

inline wire::TileKey ToWire(const TileKey& key) {
  return {.face = key.face, .level = key.level, .x = key.x, .y = key.y};
}

inline wire::TileKey ToWire(const v1::TileKey& message) {
  return {.face = static_cast<int>(message.face()),
          .level = static_cast<int>(message.level()),
          .x = message.x(),
          .y = message.y()};
}

inline v1::TileKey ToMessage(const wire::TileKey& key) {
  v1::TileKey message;
  message.set_face(static_cast<std::uint32_t>(key.face));
  message.set_level(static_cast<std::uint32_t>(key.level));
  message.set_x(key.x);
  message.set_y(key.y);
  return message;
}

// Max bytes of a server's text that are shown.
inline constexpr std::size_t kMaxText = 4'096;

// Returns the text as one line. Control characters, marks that change the direction of writing, and
// bytes that are not UTF-8 are shown as \n, \r, \t or \xNN. The end of a longer text is replaced by
// "...".
std::string OneLine(std::string_view text, std::size_t max_bytes = kMaxText);

// Converts a world; layers that this client does not know are left out. INTERNAL if the contract
// does not allow it.
absl::StatusOr<WorldInfo> FromMessage(const v1::World& message);

// Reads a specification: JSON or Protobuf's text form. INVALID_ARGUMENT names an unknown field or
// the place of a mistake.
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
