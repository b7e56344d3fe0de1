// The key of a tile in every cache, and the bytes that caches keep.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "proto/wire/tile_key.h"
#include "proto/wire/tile_tag.h"

namespace thalweg::cache {

// Everything that decides a tile's bytes.
struct TileId {
  // The world's 16 bytes as two numbers.
  std::array<std::uint64_t, 2> world{};
  wire::TileKey key;
  // Bit n stands for the layer with number n in thalweg.v1.Layer.
  std::uint32_t layers = 0;
  // The number in thalweg.v1.Precision.
  std::uint32_t precision = 0;
  // The version of the encoding of values as bytes.
  std::uint32_t format = wire::kTileFormat;

  friend bool operator==(const TileId&, const TileId&) = default;

  template <typename H>
  friend H AbslHashValue(H h, const TileId& id) {
    return H::combine(std::move(h), id.world, id.key, id.layers, id.precision, id.format);
  }
};

// The first 16 bytes of a world's id, as in TileId; missing bytes are 0.
std::array<std::uint64_t, 2> WorldNumbers(std::string_view world_id);

// The 16 bytes of a world's id from its numbers.
std::string WorldIdOf(const std::array<std::uint64_t, 2>& numbers);

// A serialized thalweg.v1.Tile. Shared and immutable, so that it can be sent without a copy.
using TileBytes = std::shared_ptr<const std::string>;

}  // namespace thalweg::cache
