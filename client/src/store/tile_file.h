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

// The facts in the name of a tile's file.
struct FiledTile {
  wire::TileKey key;
  std::uint64_t tag = 0;
  lod::TileFacts facts;
};

// Returns the facts of a tile for its file's name. The height must be among its layers.
FiledTile FiledAs(const v1::Tile& message);

// Converts to FACE_LEVEL_X_Y_TAG_ERROR_MIN_MAX.tile, and back: nothing for any other name, or for
// values that no tile can have.
std::string FileNameOf(const FiledTile& tile);
std::optional<FiledTile> FromFileName(const std::string& name);

// Max bytes of a file: the largest message that gRPC accepts, and the header.
inline constexpr std::size_t kMaxFileBytes = (std::size_t{16} << 20) + 24;

// Returns a file: a header with an XXH3 checksum, then the tile's message.
std::string FileOf(const v1::Tile& message);

// Returns the message in a file's bytes. DATA_LOSS unless they were written for this tile.
absl::StatusOr<v1::Tile> FromFile(std::string_view bytes, const FiledTile& tile);

}  // namespace thalweg
