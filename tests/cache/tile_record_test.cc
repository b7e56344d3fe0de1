#include "server/cache/tile_record.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

#include "absl/strings/escaping.h"
#include "tests/cache/sample_tiles.h"

namespace thalweg::cache {
namespace {

TEST(TileRecordTest, DecodesToWhatWasEncoded) {
  for (std::int64_t n = 0; n < 20; ++n) {
    const std::string record =
        EncodeRecord(SampleKeys(), SampleId(n), *SampleTile(n, n == 0 ? 0 : 2'000));
    const auto bytes = DecodeRecord(SampleKeys(), SampleId(n), record);
    ASSERT_TRUE(bytes.ok()) << bytes.status();
    EXPECT_EQ(**bytes, *SampleTile(n, n == 0 ? 0 : 2'000));
  }
  EXPECT_TRUE(
      DecodeRecord(SampleKeys(), SampleId(1), EncodeRecord(SampleKeys(), SampleId(1), "")).ok());
}

TEST(TileRecordTest, NoticesEveryFlippedBit) {
  const std::string record = EncodeRecord(SampleKeys(), SampleId(1), *SampleTile(1, 500));
  for (std::size_t bit = 0; bit < 8 * record.size(); ++bit) {
    std::string other = record;
    other[bit / 8] ^= static_cast<char>(1U << bit % 8);
    ASSERT_TRUE(absl::IsDataLoss(DecodeRecord(SampleKeys(), SampleId(1), other).status()))
        << "bit " << bit;
  }
}

TEST(TileRecordTest, NoticesEveryChangedByte) {
  const std::string record = EncodeRecord(SampleKeys(), SampleId(1), "some bytes of a tile");
  for (std::size_t at = 0; at < record.size(); ++at) {
    std::string other = record;
    for (int change = 1; change < 256; ++change) {
      other[at] = static_cast<char>(record[at] ^ change);
      ASSERT_TRUE(absl::IsDataLoss(DecodeRecord(SampleKeys(), SampleId(1), other).status()))
          << "byte " << at;
    }
  }
}

TEST(TileRecordTest, NoticesMissingAndExtraBytes) {
  const std::string record = EncodeRecord(SampleKeys(), SampleId(1), "some bytes of a tile");
  for (std::size_t size = 0; size < record.size(); ++size) {
    ASSERT_FALSE(DecodeRecord(SampleKeys(), SampleId(1), record.substr(0, size)).ok()) << size;
  }
  EXPECT_FALSE(DecodeRecord(SampleKeys(), SampleId(1), record + '\0').ok());
}

// Adds the ids that differ from this one in one bit of one of its numbers.
template <typename NumberOf>
void AddFlipped(const TileId& id, const NumberOf& number_of, std::vector<TileId>& others) {
  using Number = std::remove_reference_t<decltype(*number_of(others.front()))>;
  using Bits = std::make_unsigned_t<Number>;
  for (std::size_t bit = 0; bit < 8 * sizeof(Number); ++bit) {
    Number* const number = number_of(others.emplace_back(id));
    *number = static_cast<Number>(static_cast<Bits>(*number) ^ Bits{1} << bit);
  }
}

constexpr std::size_t kIdBits = 416;

// All ids that differ from this one in one bit.
std::vector<TileId> OthersThan(const TileId& id) {
  std::vector<TileId> others;
  AddFlipped(
      id, [](TileId& other) { return &other.world[0]; }, others);
  AddFlipped(
      id, [](TileId& other) { return &other.world[1]; }, others);
  AddFlipped(
      id, [](TileId& other) { return &other.key.face; }, others);
  AddFlipped(
      id, [](TileId& other) { return &other.key.level; }, others);
  AddFlipped(
      id, [](TileId& other) { return &other.key.x; }, others);
  AddFlipped(
      id, [](TileId& other) { return &other.key.y; }, others);
  AddFlipped(
      id, [](TileId& other) { return &other.layers; }, others);
  AddFlipped(
      id, [](TileId& other) { return &other.precision; }, others);
  AddFlipped(
      id, [](TileId& other) { return &other.format; }, others);
  return others;
}

TEST(TileRecordTest, IsValidForOneTileOnly) {
  const std::string record = EncodeRecord(SampleKeys(), SampleId(1), "some bytes of a tile");
  const std::vector<TileId> others = OthersThan(SampleId(1));
  ASSERT_EQ(others.size(), kIdBits);
  for (std::size_t n = 0; n < others.size(); ++n) {
    ASSERT_TRUE(absl::IsDataLoss(DecodeRecord(SampleKeys(), others[n], record).status()))
        << "bit " << n;
  }
}

TEST(TileRecordTest, IsValidForOneKeyOnly) {
  const std::string record = EncodeRecord(SampleKeys(), SampleId(1), "some bytes of a tile");
  for (std::size_t bit = 0; bit < 8 * kMacKeyBytes; ++bit) {
    MacKeys other = SampleKeys();
    other.signing[bit / 8] ^= static_cast<unsigned char>(1U << bit % 8);
    ASSERT_TRUE(absl::IsDataLoss(DecodeRecord(other, SampleId(1), record).status())) << bit;
    // With the right key as the second one, the record is accepted.
    ASSERT_TRUE(DecodeRecord({other.signing, SampleKeys().signing}, SampleId(1), record).ok());
  }
}

TEST(TileRecordTest, TheFirstKeySigns) {
  const MacKeys both{OtherKeys().signing, SampleKeys().signing};
  const std::string record = EncodeRecord(both, SampleId(1), "some bytes of a tile");
  EXPECT_TRUE(DecodeRecord(both, SampleId(1), record).ok());
  EXPECT_TRUE(DecodeRecord(OtherKeys(), SampleId(1), record).ok());
  EXPECT_FALSE(DecodeRecord(SampleKeys(), SampleId(1), record).ok());
}

TEST(TileRecordTest, EveryTileHasItsOwnKey) {
  std::set<std::string> keys;
  for (std::int64_t n = 0; n < 10'000; ++n) keys.insert(RecordKey(SampleId(n)));
  for (const TileId& other : OthersThan(SampleId(1))) keys.insert(RecordKey(other));
  EXPECT_EQ(keys.size(), 10'000 + kIdBits);
  EXPECT_EQ(keys.begin()->size(), 16U);
}

// Disks and caches of other servers have this layout: a new one needs a new magic. The MAC is
// Python's hashlib.blake2b(head + b"abc", key=b"Z" * 32, digest_size=32).
TEST(TileRecordTest, TheLayoutDoesNotChange) {
  const TileId id{.world = {1, 2}, .key = {0, 3, -1, 5}, .layers = 2, .precision = 1, .format = 1};
  const std::string record = EncodeRecord(SampleKeys(), id, "abc");
  const std::string expected(
      "thlwgtl2"
      "\1\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0"
      "\0\0\0\0\3\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff\5\0\0\0\0\0\0\0"
      "\2\0\0\0\1\0\0\0\1\0\0\0"
      "\3\0\0\0\0\0\0\0",
      68);
  EXPECT_EQ(record.substr(0, 68), expected);
  EXPECT_EQ(absl::BytesToHexString(record.substr(68, 32)),
            "8f414934438ff4aa30f236803ece9559c77c801f7867d2d758faa64a9ae2ea49");
  EXPECT_EQ(record.substr(kRecordHeaderBytes), "abc");
  EXPECT_EQ(absl::BytesToHexString(RecordKey(id)), "dfb19d6387d7cdce1ac6344cc8bd40bd");
}

// A tile in another format has another key, so that a cache never returns it instead of this
// one.
TEST(TileRecordTest, TheTilesFormatIsPartOfItsId) {
  EXPECT_EQ(TileId().format, wire::kTileFormat);
  TileId next = SampleId(1);
  ++next.format;
  EXPECT_NE(RecordKey(next), RecordKey(SampleId(1)));
  EXPECT_NE(next, SampleId(1));
}

std::string Hex(const Mac& mac) {
  return absl::BytesToHexString({reinterpret_cast<const char*>(mac.data()), mac.size()});
}

MacKey Counting() {
  MacKey key;
  std::iota(key.begin(), key.end(), static_cast<unsigned char>(0));
  return key;
}

// Expected: Python's hashlib.blake2b(bytes, key=bytes(range(32)), digest_size=32).
TEST(MacTest, IsKeyedBlake2b) {
  EXPECT_EQ(Hex(MacOf(Counting(), "", "")),
            "4e51e7a913fc80137da52880fecca175bf81e117d5c68126dc2774033517ea0d");
  EXPECT_EQ(Hex(MacOf(Counting(), "head", "body")),
            "dbdd8ac6b69307f104ab5712cde37c67c21ccfbbeb52088ae9e9a4fbb2e830b2");
  EXPECT_EQ(MacOf(Counting(), "he", "adbody"), MacOf(Counting(), "head", "body"));
}

TEST(MacTest, EveryRandomKeyDiffers) {
  std::set<MacKey> keys;
  for (int n = 0; n < 1'000; ++n) keys.insert(RandomMacKey());
  EXPECT_EQ(keys.size(), 1'000U);
}

TEST(MacTest, SameMacComparesEveryBit) {
  const Mac mac = MacOf(Counting(), "head", "body");
  EXPECT_TRUE(SameMac(mac, mac));
  for (std::size_t bit = 0; bit < 8 * kMacBytes; ++bit) {
    Mac other = mac;
    other[bit / 8] ^= static_cast<unsigned char>(1U << bit % 8);
    EXPECT_FALSE(SameMac(mac, other)) << bit;
  }
}

}  // namespace
}  // namespace thalweg::cache
