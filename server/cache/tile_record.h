// A tile as the slower caches keep it: a header that says which tile this is and proves every byte.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "server/cache/tile_id.h"

namespace thalweg::cache {

// What a record has before the tile's bytes. All numbers are little-endian:
//
//   0   8  "thlwgtl1"; the last character is the layout's version
//   8  48  the id: world 2 x u64, face i32, level i32, x i64, y i64, layers u32, precision u32
//  56   8  length of the tile's bytes, u64
//  64   8  XXH3 (64 bits) of the tile's bytes, its seed being XXH3 of the 64 bytes above, u64
inline constexpr std::size_t kRecordHeaderBytes = 72;

// The 16 bytes by which slower caches find a tile: XXH3 (128 bits) of its id and of the layout's
// version, so that servers of different versions can share a cache.
std::string RecordKey(const TileId& id);

std::string EncodeRecord(const TileId& id, std::string_view bytes);

// The tile's bytes. DATA_LOSS unless the record is, bit for bit, one that EncodeRecord made for
// this id.
absl::StatusOr<TileBytes> DecodeRecord(const TileId& id, std::string_view record);

}  // namespace thalweg::cache
