// Bakes: how they are divided into parts, and the parts' bytes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "proto/bake/bake_plan.h"
#include "proto/bake/part_store.h"

namespace thalweg::bake {
namespace {

using ::testing::HasSubstr;

Area RandomArea(std::mt19937_64& random, std::int64_t max_side) {
  const auto side = [&] {
    return 1 + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(max_side));
  };
  const auto place = [&] { return static_cast<std::int64_t>(random() % 2'000'000) - 1'000'000; };
  return {5, place(), place(), side(), side()};
}

TEST(BakePlanTest, PartsTileTheArea) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 50; ++i) {
    const Area area = RandomArea(random, 9000);
    std::int64_t vertices = 0;
    for (const Part& part : PartsOf(area)) {
      const Area clipped = Clipped(area, part);
      ASSERT_GE(clipped.width, 1);
      ASSERT_GE(clipped.height, 1);
      ASSERT_GE(clipped.x0, area.x0);
      ASSERT_LE(clipped.x0 + clipped.width, area.x0 + area.width);
      vertices += clipped.width * clipped.height;
    }
    EXPECT_EQ(vertices, area.width * area.height);
  }
}

TEST(BakePlanTest, ShardsDivideThePartsIntoRanges) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 30; ++i) {
    const Area area = RandomArea(random, 40'000);
    const int count = 1 + static_cast<int>(random() % 9);
    const std::vector<Part> all = PartsOf(area);
    std::vector<Part> together;
    std::size_t most = 0;
    for (int index = 0; index < count; ++index) {
      const std::vector<Part> shard = PartsOf(area, {index, count});
      most = std::max(most, shard.size());
      together.insert(together.end(), shard.begin(), shard.end());
    }
    EXPECT_EQ(together, all);
    // A shard has about eight blocks of parts. Blocks at the rim are partly empty.
    if (all.size() >= 64U * static_cast<unsigned>(count)) {
      EXPECT_LE(most * static_cast<unsigned>(count), 2 * all.size());
    }
  }
}

TEST(BakePlanTest, AreasAreChecked) {
  EXPECT_TRUE(CheckArea({0, -50, 10, 100, 1}, 1000).ok());
  EXPECT_THAT(CheckArea({0, 0, 0, 0, 5}, 1000).message(), HasSubstr("invalid width: expected 1"));
  EXPECT_EQ(CheckArea({0, 0, 0, 5, kMaxSide + 1}, kMaxSide * 2).code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(CheckArea({0, 990, 0, 12, 5}, 1000).code(), absl::StatusCode::kOutOfRange);
  EXPECT_TRUE(CheckArea({0, 990, 0, 11, 5}, 1000).ok());
  EXPECT_EQ(CheckArea({0, 0, -1001, 12, 5}, 1000).code(), absl::StatusCode::kOutOfRange);
}

PartValues RandomPart(std::mt19937_64& random) {
  const auto side = [&] { return 1 + static_cast<std::int64_t>(random() % 70); };
  PartValues part{{7, -(std::int64_t{1} << 40), 12, side(), side(),
                   static_cast<GridKind>(random() % 3), static_cast<int>(random() % 6)},
                  {}};
  const auto size = static_cast<std::size_t>(part.area.width * part.area.height);
  for (const int layer : {1, 2}) {
    part.planes.push_back({layer, std::vector<std::int32_t>(size)});
    for (std::int32_t& value : part.planes.back().values) {
      value = static_cast<std::int32_t>(random());
    }
  }
  return part;
}

TEST(PartFileTest, DecodesToWhatWasEncoded) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 20; ++i) {
    const PartValues part = RandomPart(random);
    const auto again = DecodePart(EncodePart(part));
    ASSERT_TRUE(again.ok()) << again.status();
    EXPECT_EQ(again->area, part.area);
    EXPECT_EQ(again->planes.size(), 2U);
    EXPECT_EQ(again->planes[1].layer, 2);
    EXPECT_TRUE(again->planes[0].values == part.planes[0].values);
    EXPECT_TRUE(again->planes[1].values == part.planes[1].values);
  }
}

TEST(PartFileTest, DamageIsFound) {
  std::mt19937_64 random(4);
  const std::string bytes = EncodePart(RandomPart(random));
  for (std::size_t size = 0; size < bytes.size(); size += 1 + bytes.size() / 97) {
    EXPECT_EQ(DecodePart(bytes.substr(0, size)).status().code(), absl::StatusCode::kDataLoss);
  }
  // The store compares the header's fields, and the rest has a checksum.
  for (int i = 0; i < 200; ++i) {
    std::string damaged = bytes;
    damaged[48 + random() % (bytes.size() - 48)] ^= static_cast<char>(1 << random() % 8);
    EXPECT_EQ(DecodePart(damaged).status().code(), absl::StatusCode::kDataLoss);
  }
}

}  // namespace
}  // namespace thalweg::bake
