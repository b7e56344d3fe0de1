#include "server/cache/tile_record.h"

#include <xxhash.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace thalweg::cache {
namespace {

constexpr std::string_view kMagic = "thlwgtl1";
constexpr std::size_t kLengthAt = 56;
constexpr std::size_t kChecksumAt = 64;

using Header = std::array<char, kRecordHeaderBytes>;

// Writes a number, the lowest byte first, and gives the place behind it.
template <typename Number>
char* Put(char* place, Number number) {
  const auto bits = static_cast<std::make_unsigned_t<Number>>(number);
  for (std::size_t k = 0; k < sizeof(Number); ++k) {
    *place++ = static_cast<char>(static_cast<unsigned char>(bits >> (8 * k)));
  }
  return place;
}

char* PutId(char* place, const TileId& id) {
  place = Put(place, id.world[0]);
  place = Put(place, id.world[1]);
  place = Put(place, id.key.face);
  place = Put(place, id.key.level);
  place = Put(place, id.key.x);
  place = Put(place, id.key.y);
  place = Put(place, id.layers);
  return Put(place, id.precision);
}

Header HeaderOf(const TileId& id, std::string_view bytes) {
  Header header;
  char* place = header.data();
  std::memcpy(place, kMagic.data(), kMagic.size());
  place = PutId(place + kMagic.size(), id);
  place = Put(place, static_cast<std::uint64_t>(bytes.size()));
  const XXH64_hash_t seed = XXH3_64bits(header.data(), kChecksumAt);
  Put(place, static_cast<std::uint64_t>(XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed)));
  return header;
}

}  // namespace

std::string RecordKey(const TileId& id) {
  std::array<char, kLengthAt> named;
  std::memcpy(named.data(), kMagic.data(), kMagic.size());
  PutId(named.data() + kMagic.size(), id);
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits(named.data(), named.size()));
  return {reinterpret_cast<const char*>(canonical.digest), sizeof(canonical.digest)};
}

std::string EncodeRecord(const TileId& id, std::string_view bytes) {
  const Header header = HeaderOf(id, bytes);
  std::string record;
  record.reserve(header.size() + bytes.size());
  record.append(header.data(), header.size());
  record.append(bytes);
  return record;
}

absl::StatusOr<TileBytes> DecodeRecord(const TileId& id, std::string_view record) {
  if (record.size() < kRecordHeaderBytes) {
    return absl::DataLossError("read tile record: it is shorter than its header");
  }
  const std::string_view bytes = record.substr(kRecordHeaderBytes);
  // The whole header follows from the id and the bytes, the checksum included.
  const Header header = HeaderOf(id, bytes);
  if (std::memcmp(record.data(), header.data(), header.size()) != 0) {
    return absl::DataLossError("read tile record: its header or checksum is wrong");
  }
  return std::make_shared<const std::string>(bytes);
}

}  // namespace thalweg::cache
