#include "server/cache/tile_record.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <string>
#include <vector>

#include "tests/cache/sample_tiles.h"

namespace thalweg::cache {
namespace {

TEST(TileRecordTest, GivesWhatItWasMadeOf) {
  for (std::int64_t n = 0; n < 20; ++n) {
    const std::string record = EncodeRecord(SampleId(n), *SampleTile(n, n == 0 ? 0 : 2'000));
    const auto bytes = DecodeRecord(SampleId(n), record);
    ASSERT_TRUE(bytes.ok()) << bytes.status();
    EXPECT_EQ(**bytes, *SampleTile(n, n == 0 ? 0 : 2'000));
  }
  EXPECT_TRUE(DecodeRecord(SampleId(1), EncodeRecord(SampleId(1), "")).ok());
}

TEST(TileRecordTest, SeesEveryFlippedBit) {
  const std::string record = EncodeRecord(SampleId(1), "some bytes of a tile");
  for (std::size_t bit = 0; bit < 8 * record.size(); ++bit) {
    std::string other = record;
    other[bit / 8] ^= static_cast<char>(1U << bit % 8);
    ASSERT_TRUE(absl::IsDataLoss(DecodeRecord(SampleId(1), other).status())) << "bit " << bit;
  }
}

TEST(TileRecordTest, SeesMissingAndMoreBytes) {
  const std::string record = EncodeRecord(SampleId(1), "some bytes of a tile");
  for (std::size_t size = 0; size < record.size(); ++size) {
    ASSERT_FALSE(DecodeRecord(SampleId(1), record.substr(0, size)).ok()) << size;
  }
  EXPECT_FALSE(DecodeRecord(SampleId(1), record + '\0').ok());
}

std::vector<TileId> OthersThan(const TileId& id) {
  std::vector<TileId> others(8, id);
  others[0].world[0] ^= 1;
  others[1].world[1] ^= 1;
  others[2].key.face += 1;
  others[3].key.level += 1;
  others[4].key.x += 1;
  others[5].key.y -= 1;
  others[6].layers ^= 4;
  others[7].precision ^= 1;
  return others;
}

TEST(TileRecordTest, IsOfOneTileAndNoOther) {
  const std::string record = EncodeRecord(SampleId(1), "some bytes of a tile");
  for (const TileId& other : OthersThan(SampleId(1))) {
    EXPECT_TRUE(absl::IsDataLoss(DecodeRecord(other, record).status()));
  }
}

TEST(TileRecordTest, EveryTileHasAKeyOfItsOwn) {
  std::set<std::string> keys;
  for (std::int64_t n = 0; n < 10'000; ++n) keys.insert(RecordKey(SampleId(n)));
  for (const TileId& other : OthersThan(SampleId(1))) keys.insert(RecordKey(other));
  EXPECT_EQ(keys.size(), 10'008U);
  EXPECT_EQ(keys.begin()->size(), 16U);
}

// What is on disks and in other servers' caches: a new layout needs a new magic.
TEST(TileRecordTest, TheLayoutStays) {
  const std::string record =
      EncodeRecord({.world = {1, 2}, .key = {0, 3, -1, 5}, .layers = 2, .precision = 1}, "abc");
  const std::string expected(
      "thlwgtl1"
      "\1\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0"
      "\0\0\0\0\3\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff\5\0\0\0\0\0\0\0"
      "\2\0\0\0\1\0\0\0"
      "\3\0\0\0\0\0\0\0",
      64);
  EXPECT_EQ(record.substr(0, 64), expected);
  EXPECT_EQ(record.size(), kRecordHeaderBytes + 3);
}

}  // namespace
}  // namespace thalweg::cache
