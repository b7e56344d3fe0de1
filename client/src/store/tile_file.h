// A tile's file: its bytes, and its name, which identifies the tile without opening the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "proto/lod/tile_facts.h"
#include "proto/wire/tile_key.h"
#include "thalweg/v1/tile.pb.h"

namespace thalweg {

// What names a tile's file.
struct FiledTile {
  wire::TileKey key;
  std::uint64_t tag = 0;
  lod::TileFacts facts;
};

// What a tile is filed under. The height is among its layers.
FiledTile FiledAs(const v1::Tile& message);

// FACE_LEVEL_X_Y_TAG_ERROR_MIN_MAX.tile, and back: nothing for any other name, or for values that
// no tile can have.
std::string FileNameOf(const FiledTile& tile);
std::optional<FiledTile> FromFileName(const std::string& name);

// The most bytes that a file may have: a message that gRPC would bring, and its header.
inline constexpr std::size_t kMaxFileBytes = (std::size_t{16} << 20) + 24;

// A header with an XXH3 checksum, then the tile's message.
std::string FileOf(const v1::Tile& message);

// The message of a file's bytes. DATA_LOSS unless they were written for this tile.
absl::StatusOr<v1::Tile> FromFile(std::string_view bytes, const FiledTile& tile);

}  // namespace thalweg
