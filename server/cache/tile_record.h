// A tile as slower caches store it: a header that names the tile, and a code that proves that the
// record was made with the cache's key.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "server/cache/tile_cache.h"

namespace thalweg::cache {

// A message authentication code. It proves that bytes were made with the key.
inline constexpr std::size_t kMacKeyBytes = 32;
inline constexpr std::size_t kMacBytes = 32;

using MacKey = std::array<unsigned char, kMacKeyBytes>;
using Mac = std::array<unsigned char, kMacBytes>;

// The keys of a cache. Both verify, so that a key can be replaced without losing the cache.
struct MacKeys {
  MacKey signing{};
  std::optional<MacKey> also_accepted = {};
};

// 32 random bytes. Aborts if the system has no randomness.
MacKey RandomMacKey();

// Keyed BLAKE2b (RFC 7693) with 256 bits, of the head followed by the body. Aborts if OpenSSL lacks
// BLAKE2b.
Mac MacOf(const MacKey& key, std::string_view head, std::string_view body);

// Whether both are equal, in a time that does not depend on their bytes.
bool SameMac(const Mac& a, const Mac& b);

// A record's bytes before the tile's. All numbers are little-endian:
//
//   0   8  "thlwgtl2"; the last character is the layout's version
//   8  52  the id: world 2 x u64, face i32, level i32, x i64, y i64, layers u32, precision u32,
//          format u32
//  60   8  length of the tile's bytes, u64
//  68  32  the code (MacOf) of the 68 bytes above and the tile's bytes
inline constexpr std::size_t kRecordHeaderBytes = 100;

// The 16 bytes by which slower caches find a tile: XXH3 (128 bits) of its id, which has the tile's
// format, and of the layout's version. So servers of different versions can share a cache.
std::string RecordKey(const TileId& id);

std::string EncodeRecord(const MacKeys& keys, const TileId& id, std::string_view bytes);

// The tile's bytes. DATA_LOSS unless the record equals, bit for bit, one that EncodeRecord made for
// this id with one of the keys.
absl::StatusOr<TileBytes> DecodeRecord(const MacKeys& keys, const TileId& id,
                                       std::string_view record);

}  // namespace thalweg::cache
