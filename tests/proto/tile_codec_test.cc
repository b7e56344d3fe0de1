#include "proto/wire/tile_codec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zstd.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "proto/wire/tile_key.h"

namespace thalweg::wire {
namespace {

using ::testing::ElementsAreArray;
using ::testing::HasSubstr;

constexpr std::int32_t kMin = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t kMax = std::numeric_limits<std::int32_t>::max();

// Smooth ground with noise. `random` decides their size, from flat to all 32 bits.
std::vector<std::int32_t> RandomValues(std::mt19937_64& random, int width, int height) {
  const double slope = std::ldexp(1.0, static_cast<int>(random() % 28));
  const auto noise_bits = static_cast<int>(random() % 33);
  std::vector<std::int32_t> values;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const auto ground =
          static_cast<std::int64_t>(slope * std::sin(0.05 * x) * std::cos(0.03 * y));
      const std::uint64_t noise = noise_bits == 0 ? 0 : random() >> (64 - noise_bits);
      values.push_back(static_cast<std::int32_t>(static_cast<std::uint64_t>(ground) + noise));
    }
  }
  return values;
}

std::vector<std::int32_t> Rounded(const std::vector<std::int32_t>& values, int shift) {
  std::vector<std::int32_t> rounded;
  for (const std::int32_t value : values) rounded.push_back(RoundToLattice(value, shift));
  return rounded;
}

std::vector<std::int32_t> DecodedOrDie(const EncodedLayer& layer, int width, int height,
                                       int shift) {
  auto values = DecodeLayer(layer.data, width, height, shift);
  EXPECT_TRUE(values.ok()) << values.status();
  return values.ok() ? *std::move(values) : std::vector<std::int32_t>{};
}

TEST(TileCodecTest, RoundsHalfUpToMultiples) {
  EXPECT_EQ(RoundToLattice(7, 0), 7);
  EXPECT_EQ(RoundToLattice(7, 2), 8);
  EXPECT_EQ(RoundToLattice(6, 2), 8);
  EXPECT_EQ(RoundToLattice(5, 2), 4);
  EXPECT_EQ(RoundToLattice(-6, 2), -4);
  EXPECT_EQ(RoundToLattice(-7, 2), -8);
  EXPECT_EQ(RoundToLattice(kMin, kMaxLatticeShift), kMin);
}

TEST(TileCodecTest, RoundingAgreesWithItsDefinition) {
  constexpr std::uint64_t kSeed = 1;
  SCOPED_TRACE(testing::Message() << "seed " << kSeed);
  std::mt19937_64 random(kSeed);
  for (int round = 0; round < 100'000; ++round) {
    const auto shift = static_cast<int>(random() % (kMaxLatticeShift + 1));
    const auto value = static_cast<std::int32_t>(random());
    const std::int64_t half = shift == 0 ? 0 : std::int64_t{1} << (shift - 1);
    const std::int64_t nearest = ((value + half) >> shift) << shift;
    const std::int64_t largest = (std::int64_t{kMax} >> shift) << shift;
    ASSERT_EQ(RoundToLattice(value, shift), std::min(nearest, largest)) << value << " by " << shift;
  }
}

TEST(TileCodecTest, DecodesWhatItEncoded) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937_64 random(seed);
    const int width = 1 + static_cast<int>(random() % 70);
    const int height = 1 + static_cast<int>(random() % 70);
    const auto shift = static_cast<int>(random() % 21);
    const auto values = RandomValues(random, width, height);
    const EncodedLayer layer = EncodeLayer(values, width, height, shift);
    const auto rounded = Rounded(values, shift);
    ASSERT_EQ(DecodedOrDie(layer, width, height, shift), rounded);
    EXPECT_EQ(layer.min, *std::min_element(rounded.begin(), rounded.end()));
    EXPECT_EQ(layer.max, *std::max_element(rounded.begin(), rounded.end()));
  }
}

TEST(TileCodecTest, KeepsExtremeValues) {
  std::vector<std::int32_t> values;
  for (int k = 0; k < 257 * 257; ++k) values.push_back(k % 3 == 0 ? kMin : kMax - k % 2);
  for (const int shift : {0, 1, 2, 8, 20, kMaxLatticeShift}) {
    SCOPED_TRACE(testing::Message() << "shift " << shift);
    const EncodedLayer layer = EncodeLayer(values, kTileVertices, kTileVertices, shift);
    EXPECT_EQ(DecodedOrDie(layer, kTileVertices, kTileVertices, shift), Rounded(values, shift));
  }
}

TEST(TileCodecTest, UsesAsManyPlanesAsNeeded) {
  const auto planes_of = [](std::vector<std::int32_t> values) {
    return int{EncodeLayer(values, static_cast<int>(values.size()), 1, 0).data[0]};
  };
  EXPECT_EQ(planes_of({0, 0, 0}), 1);
  EXPECT_EQ(planes_of({-128, -1, 126}), 1);
  EXPECT_EQ(planes_of({0, 128, 0}), 2);
  EXPECT_EQ(planes_of({0, 1 << 15, 0}), 3);
  EXPECT_EQ(planes_of({0, 1 << 23, 0}), 4);
  EXPECT_EQ(planes_of({kMin}), 4);
}

TEST(TileCodecTest, GivesTheSameBytesForTheSameValues) {
  constexpr std::uint64_t kSeed = 3;
  std::mt19937_64 random(kSeed);
  const auto values = RandomValues(random, 65, 65);
  const std::string first = EncodeLayer(values, 65, 65, 4).data;
  EncodeLayer(RandomValues(random, 33, 21), 33, 21, 0);
  EXPECT_EQ(EncodeLayer(values, 65, 65, 4).data, first) << "seed " << kSeed;
}

// Two tiles of the same ground have the same common column after coding, at any shift.
TEST(TileCodecTest, NeighboursShareTheirEdge) {
  constexpr int kSide = 33;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937_64 random(seed);
    const auto ground = RandomValues(random, 2 * kSide - 1, kSide);
    std::vector<std::int32_t> west;
    std::vector<std::int32_t> east;
    for (int y = 0; y < kSide; ++y) {
      const auto row = ground.begin() + y * (2 * kSide - 1);
      west.insert(west.end(), row, row + kSide);
      east.insert(east.end(), row + kSide - 1, row + 2 * kSide - 1);
    }
    const auto shift = static_cast<int>(seed % 21);
    const auto decoded_west =
        DecodedOrDie(EncodeLayer(west, kSide, kSide, shift), kSide, kSide, shift);
    const auto decoded_east =
        DecodedOrDie(EncodeLayer(east, kSide, kSide, shift), kSide, kSide, shift);
    for (std::size_t y = 0; y < kSide; ++y) {
      ASSERT_EQ(decoded_west[y * kSide + kSide - 1], decoded_east[y * kSide]);
    }
  }
}

// The twin: if a lattice begins at each tile's own minimum, as in many codecs, edges
// differ.
TEST(TileCodecTest, EdgesOfTileLocalLatticesDiffer) {
  const std::vector<std::int32_t> west = {1, 10, 7};
  const std::vector<std::int32_t> east = {7, 3, 20};
  const auto last_of_west = 1 + RoundToLattice(west[2] - 1, 2);
  const auto first_of_east = 3 + RoundToLattice(east[0] - 3, 2);
  EXPECT_NE(last_of_west, first_of_east);
}

// --- malformed input

std::string Frame(const std::string& content) {
  std::string frame(ZSTD_compressBound(content.size()), '\0');
  frame.resize(ZSTD_compress(frame.data(), frame.size(), content.data(), content.size(), 1));
  return frame;
}

void ExpectDataLoss(const std::string& data, int shift, const std::string& reason) {
  const auto values = DecodeLayer(data, 4, 4, shift);
  ASSERT_EQ(values.status().code(), absl::StatusCode::kDataLoss) << reason;
  EXPECT_THAT(std::string(values.status().message()), HasSubstr(reason));
}

TEST(TileCodecTest, SaysWhatIsWrongWithData) {
  const std::string good = '\1' + Frame(std::string(16, '\0'));
  ASSERT_TRUE(DecodeLayer(good, 4, 4, 0).ok());
  ExpectDataLoss("", 0, "expected its encoded values, got 0 bytes");
  ExpectDataLoss('\0' + good.substr(1), 0, "byte planes");
  ExpectDataLoss('\5' + good.substr(1), 0, "byte planes");
  ExpectDataLoss('\2' + good.substr(1), 0, "expected 32 bytes in its frame, got 16");
  ExpectDataLoss('\1' + Frame(std::string(1 << 20, 'x')), 0,
                 "expected 16 bytes in its frame, got 1048576");
  ExpectDataLoss("\1", 0, "not a Zstandard frame that gives its size");
  ExpectDataLoss("\1hello, hello", 0, "not a Zstandard frame that gives its size");
  ExpectDataLoss(good + "x", 0, "not exactly one Zstandard frame");
  ExpectDataLoss(good.substr(0, good.size() - 1), 0, "not exactly one Zstandard frame");
  ExpectDataLoss(good, -1, "lattice shift");
  ExpectDataLoss(good, kMaxLatticeShift + 1, "lattice shift");
}

TEST(TileCodecTest, RejectsSizesThatNoLayerHas) {
  const std::string good = '\1' + Frame(std::string(16, '\0'));
  for (const auto& [width, height] : {std::pair{0, 4}, {4, 0}, {-4, -4}, {1 << 30, 1 << 30}}) {
    EXPECT_EQ(DecodeLayer(good, width, height, 0).status().code(),
              absl::StatusCode::kInvalidArgument);
  }
  std::vector<std::int32_t> room(15);
  EXPECT_EQ(DecodeLayerInto(good, 4, 4, 0, std::span<std::int32_t>(room)).code(),
            absl::StatusCode::kInvalidArgument);
}

// Damaged data is refused or gives other values. Decoding it never accesses memory outside (run
// this with AddressSanitizer).
TEST(TileCodecTest, SurvivesDamage) {
  for (std::uint64_t seed = 0; seed < 2'000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937_64 random(seed);
    std::string data = EncodeLayer(RandomValues(random, 17, 17), 17, 17, 0).data;
    const auto flips = 1 + random() % 4;
    for (std::uint64_t flip = 0; flip < flips; ++flip) {
      data[random() % data.size()] ^= static_cast<char>(1 << (random() % 8));
    }
    if (random() % 4 == 0) data.resize(random() % data.size());
    const auto values = DecodeLayer(data, 17, 17, 0);
    if (values.ok()) {
      ASSERT_EQ(values->size(), 17U * 17U);
    } else {
      ASSERT_EQ(values.status().code(), absl::StatusCode::kDataLoss);
    }
  }
}

// Compares the vectorised decoder with one that is written only from README.md, value by value.
TEST(TileCodecTest, MatchesTheReadme) {
  constexpr std::uint64_t kSeed = 11;
  SCOPED_TRACE(testing::Message() << "seed " << kSeed);
  std::mt19937_64 random(kSeed);
  constexpr std::size_t kWidth = 13;
  constexpr std::size_t kHeight = 9;
  constexpr int kShift = 3;
  const auto values = RandomValues(random, kWidth, kHeight);
  const std::string data = EncodeLayer(values, kWidth, kHeight, kShift).data;
  const std::size_t planes = static_cast<unsigned char>(data[0]);
  std::string bytes(kWidth * kHeight * planes, '\0');
  ASSERT_EQ(ZSTD_decompress(bytes.data(), bytes.size(), data.data() + 1, data.size() - 1),
            bytes.size());
  std::vector<std::uint32_t> steps(kWidth * kHeight);
  for (std::size_t k = 0; k < steps.size(); ++k) {
    std::uint32_t word = 0;
    for (std::size_t plane = 0; plane < planes; ++plane) {
      word |= std::uint32_t{static_cast<unsigned char>(bytes[plane * steps.size() + k])}
              << (8 * plane);
    }
    const bool first_column = k % kWidth == 0;
    const std::uint32_t west = first_column ? 0 : steps[k - 1];
    const std::uint32_t north = k < kWidth ? 0 : steps[k - kWidth];
    const std::uint32_t north_west = first_column || k < kWidth ? 0 : steps[k - kWidth - 1];
    steps[k] = west + north - north_west + ((word >> 1) ^ (0U - (word & 1)));
  }
  std::vector<std::int32_t> decoded;
  for (const std::uint32_t step : steps)
    decoded.push_back(static_cast<std::int32_t>(step << kShift));
  EXPECT_THAT(decoded, ElementsAreArray(Rounded(values, kShift)));
}

}  // namespace
}  // namespace thalweg::wire
