#include "proto/wire/tile_tag.h"

#include <xxhash.h>

#include <string>

namespace thalweg::wire {
namespace {

template <typename T>
void Append(std::string& bytes, T value) {
  for (std::size_t n = 0; n < sizeof(T); ++n) {
    bytes += static_cast<char>(static_cast<std::uint64_t>(value) >> (8 * n) & 0xFFU);
  }
}

}  // namespace

std::uint64_t TileTag(std::string_view world_id, const TileKey& key, std::uint32_t layers,
                      std::uint32_t precision) {
  std::string bytes(world_id);
  Append(bytes, kTileFormat);
  Append(bytes, key.face);
  Append(bytes, key.level);
  Append(bytes, key.x);
  Append(bytes, key.y);
  Append(bytes, layers);
  Append(bytes, precision);
  return XXH3_64bits(bytes.data(), bytes.size());
}

}  // namespace thalweg::wire
