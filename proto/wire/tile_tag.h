// A hash that names a tile's bytes before they are made.
#pragma once

#include <cstdint>
#include <string_view>

#include "proto/wire/tile_key.h"

namespace thalweg::wire {

// The version of everything between a tile's values and its bytes: the message and the codec. Raise
// it with any change of either.
inline constexpr std::uint32_t kTileFormat = 1;

// thalweg.v1.Tile.tag: XXH3's 64 bits of the world's id, the key, the layers (bit n stands for
// layer n), the precision's number and the format, as little-endian numbers. The same on every
// machine.
std::uint64_t TileTag(std::string_view world_id, const TileKey& key, std::uint32_t layers,
                      std::uint32_t precision);

}  // namespace thalweg::wire
