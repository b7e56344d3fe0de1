// The field law: a vertex's values depend only on the world and the vertex's coordinates.
#include <algorithm>

#include "gtest/gtest.h"
#include "server/backend/reference/reference_backend.h"
#include "tests/parity/backends.h"
#include "tests/parity/chain.h"
#include "tests/parity/compare.h"
#include "tests/parity/random_world.h"
#include "tests/size.h"

namespace thalweg::parity {
namespace {

constexpr std::int64_t kFar = std::int64_t{1} << 40;
constexpr int kLawLevels = 4;
constexpr int kMaxSteps = 6;

class FieldLawTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    backend_ = BackendOf(GetParam());
    ASSERT_NE(backend_, nullptr);
  }

  backend::Backend* backend_ = nullptr;
};

std::vector<world::LevelProgram> Programs(Random& random) {
  return RandomWorld(random, kLawLevels, kMaxSteps)->programs();
}

std::int64_t Coordinate(Random& random, std::int64_t around) {
  return around + std::uniform_int_distribution<std::int64_t>(-500, 500)(random);
}

TEST_P(FieldLawTest, BlockSizeCannotBeSeen) {
  for (std::uint64_t seed = 1; seed <= FewOrAll(2U, 4U); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const auto programs = Programs(random);
    const Vertices region{Coordinate(random, 0), Coordinate(random, -3000), 70, 90};
    Chain small(*backend_, programs, 32);
    Chain middle(*backend_, programs, 64);
    Chain large(*backend_, programs, 128);
    for (const auto layer : {backend::Layer::kHeight, backend::Layer::kFlow}) {
      const auto expected = large.Read(kLawLevels - 1, region, layer);
      EXPECT_EQ(Difference(expected, middle.Read(kLawLevels - 1, region, layer), region.width), "");
      EXPECT_EQ(Difference(expected, small.Read(kLawLevels - 1, region, layer), region.width), "");
    }
  }
}

// The edge column belongs to both blocks' cores; each is read from its own block.
TEST_P(FieldLawTest, NeighboursShareEdgeBits) {
  constexpr int kCells = 64;
  for (std::uint64_t seed = 11; seed <= FewOrAll(12U, 14U); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const auto programs = Programs(random);
    const auto shapes = world::BlockShapes(programs, kCells);
    Chain chain(*backend_, programs, kCells);
    for (int level = 0; level < kLawLevels; ++level) {
      const world::BlockKey west{0, level, -1, 2};
      const world::BlockKey east{0, level, 0, 2};
      const world::BlockKey south{0, level, -1, 3};
      const int apron = shapes[static_cast<std::size_t>(level)].apron;
      const auto edge = [&](const world::BlockKey& key, int x, int y, int width, int height) {
        std::vector<std::int32_t> values(kCells + 1);
        const absl::Status status = backend_->Read(*chain.Block(key), backend::Layer::kHeight,
                                                   {apron + x, apron + y, width, height}, values);
        EXPECT_TRUE(status.ok()) << status;
        return values;
      };
      EXPECT_EQ(
          Difference(edge(west, kCells, 0, 1, kCells + 1), edge(east, 0, 0, 1, kCells + 1), 1), "");
      EXPECT_EQ(
          Difference(edge(west, 0, kCells, kCells + 1, 1), edge(south, 0, 0, kCells + 1, 1), 1),
          "");
    }
  }
}

// Whole aprons overlap the neighbours' cores: all values must agree, at every level.
TEST_P(FieldLawTest, OverlapsAgree) {
  constexpr int kCells = 32;
  for (std::uint64_t seed = 21; seed <= FewOrAll(21U, 24U); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const auto programs = Programs(random);
    const auto shapes = world::BlockShapes(programs, kCells);
    Chain chain(*backend_, programs, kCells);
    for (int level = 0; level < kLawLevels; ++level) {
      const auto& shape = shapes[static_cast<std::size_t>(level)];
      const int side = shape.ResultSide();
      const world::BlockKey key{0, level, 3, -2};
      std::vector<std::int32_t> values(static_cast<std::size_t>(side) *
                                       static_cast<std::size_t>(side));
      const absl::Status status =
          backend_->Read(*chain.Block(key), backend::Layer::kHeight, {0, 0, side, side}, values);
      ASSERT_TRUE(status.ok()) << status;
      const auto by_cores = chain.Read(
          level, {key.x * kCells - shape.apron, key.y * kCells - shape.apron, side, side});
      EXPECT_EQ(Difference(values, by_cores, side), "");
    }
  }
}

TEST_P(FieldLawTest, FarCoordinatesAgree) {
  for (std::uint64_t seed = 31; seed <= FewOrAll(31U, 33U); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const auto programs = Programs(random);
    const Vertices region{Coordinate(random, kFar), Coordinate(random, -kFar), 60, 50};
    Chain small(*backend_, programs, 32);
    Chain large(*backend_, programs, 128);
    const auto expected = large.Read(kLawLevels - 1, region);
    EXPECT_EQ(Difference(expected, small.Read(kLawLevels - 1, region), region.width), "");
    // Far ground is as rough as near ground. Coordinates without enough bits would smear it.
    const auto near = large.Read(kLawLevels - 1, {0, 0, region.width, region.height});
    const auto distinct = [](std::vector<std::int32_t> values) {
      std::sort(values.begin(), values.end());
      return std::unique(values.begin(), values.end()) - values.begin();
    };
    EXPECT_GT(distinct(expected), distinct(near) / 2);
  }
}

TEST_P(FieldLawTest, BatchCannotBeSeen) {
  constexpr int kCells = 32;
  for (std::uint64_t seed = 41; seed <= FewOrAll(42U, 43U); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const auto programs = Programs(random);
    const Vertices region{-2 * kCells, 5 * kCells, 3 * kCells, kCells};
    Chain alone(*backend_, programs, kCells);
    Chain together(*backend_, programs, kCells);
    for (int level = 0; level < kLawLevels; ++level) {
      ASSERT_GE(backend_->MaxBatch(world::BlockShapes(programs, kCells)[0]), 3);
      together.ComputeTogether({{0, level, 0, 5}, {0, level, -2, 5}, {0, level, -1, 5}});
      EXPECT_EQ(Difference(alone.Read(level, region), together.Read(level, region), region.width),
                "");
    }
  }
}

TEST_P(FieldLawTest, ShrinkingWindowCannotBeSeen) {
  for (std::uint64_t seed = 51; seed <= FewOrAll(52U, 53U); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const auto programs = Programs(random);
    const Vertices region{0, 0, 64, 64};
    Chain shrinking(*backend_, programs, 64);
    Chain whole(*backend_, programs, 64, {.layers = {}, .shrink_window = false});
    EXPECT_EQ(Difference(shrinking.Read(kLawLevels - 1, region), whole.Read(kLawLevels - 1, region),
                         region.width),
              "");
  }
}

INSTANTIATE_TEST_SUITE_P(Backends, FieldLawTest, kDevices, NameOfDevice);

TEST(ReferenceTest, ThreadsCannotBeSeen) {
  constexpr int kCells = 32;
  Random random(61);
  const auto programs = Programs(random);
  const auto one = backend::CreateReference(1);
  Chain expected(*one, programs, kCells);
  std::vector<world::BlockKey> keys;
  for (int i = 0; i < 8; ++i) keys.push_back({0, 0, i, 0});
  for (const int threads : {2, 3, 8}) {
    SCOPED_TRACE(testing::Message() << threads << " threads");
    const auto many = backend::CreateReference(threads);
    Chain chain(*many, programs, kCells);
    for (int level = 0; level < kLawLevels; ++level) {
      for (auto& key : keys) key.level = level;
      chain.ComputeTogether(keys);
      const Vertices region{0, 0, 8 * kCells, kCells};
      EXPECT_EQ(Difference(expected.Read(level, region), chain.Read(level, region), region.width),
                "");
    }
  }
}

}  // namespace
}  // namespace thalweg::parity
