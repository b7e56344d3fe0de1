#include "server/backend/vulkan/vulkan_backend.h"

#include <algorithm>
#include <random>

#include "gmock/gmock.h"
#include "server/backend/reference/reference_backend.h"
#include "tests/backend/test_level.h"

namespace thalweg::backend {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr world::BlockShape kShape{.block_cells = 32, .apron = 5, .halo = 0};

std::vector<std::int32_t> RandomPlane(std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<std::int32_t> plane(
      static_cast<std::size_t>(kShape.ResultSide() * kShape.ResultSide()));
  for (std::int32_t& value : plane) value = static_cast<std::int32_t>(random());
  return plane;
}

TEST(VulkanBackendTest, BitsAreTheSameWithout64BitAtomics) {
  const auto world = TestWorld(5);
  vulkan::VulkanOptions options = TestOptions();
  const auto with = Open(options);
  options.force_no_atomic64 = true;
  const auto without = Open(options);
  if (!with->uses_atomic64()) GTEST_SKIP() << "the device has no 64-bit atomics";
  ASSERT_FALSE(without->uses_atomic64());
  const auto a = RunTop(*with, *world);
  ASSERT_TRUE(a.ok()) << a.status();
  const auto b = RunTop(*without, *world);
  ASSERT_TRUE(b.ok()) << b.status();
  EXPECT_EQ(Everything(*with, **a), Everything(*without, **b));
  EXPECT_THAT(with->validation_messages(), IsEmpty());
  EXPECT_THAT(without->validation_messages(), IsEmpty());
}

// The twin of the comparison above.
TEST(VulkanBackendTest, OtherSeedsGiveOtherBits) {
  const auto backend = Open(TestOptions());
  const auto a = RunTop(*backend, *TestWorld(5));
  ASSERT_TRUE(a.ok()) << a.status();
  const auto b = RunTop(*backend, *TestWorld(6));
  ASSERT_TRUE(b.ok()) << b.status();
  EXPECT_NE(Everything(*backend, **a), Everything(*backend, **b));
}

TEST(VulkanBackendTest, MeasuresTheTimeOfEachStage) {
  const auto world = TestWorld(3);
  const auto backend = Open(TestOptions());
  StageTimes times;
  RunOptions options;
  options.stage_times = &times;
  for (int k = 0; k < 2; ++k) {
    const auto blocks =
        backend->Run(world->level(0), TestShapes(*world)[0], std::vector<Job>(1), options);
    ASSERT_TRUE(blocks.ok()) << blocks.status();
    if (times.empty()) GTEST_SKIP() << "the device's queue has no clock";
  }
  EXPECT_EQ(times["ground"].times, 2U);
  EXPECT_EQ(times["thermal"].times, 2U);
  EXPECT_EQ(times["export"].times, 2U);
  double seconds = 0;
  for (const auto& [stage, time] : times) {
    EXPECT_GE(time.seconds, 0) << stage;
    seconds += time.seconds;
  }
  EXPECT_GT(seconds, 0);
  EXPECT_THAT(backend->validation_messages(), IsEmpty());
}

// Tests blocks in memory that the CPU can read, if the device has it, and in the device's own.
class BlockMemoryTest : public testing::TestWithParam<bool> {
 protected:
  static vulkan::VulkanOptions Options() {
    vulkan::VulkanOptions options = TestOptions();
    options.force_no_unified_memory = GetParam();
    return options;
  }
};

INSTANTIATE_TEST_SUITE_P(Of, BlockMemoryTest, testing::Bool(), [](const auto& of) {
  return of.param ? "TheDeviceOnly" : "AsTheDeviceHasIt";
});

TEST_P(BlockMemoryTest, EqualsTheReference) {
  const auto world = TestWorld(3);
  const auto backend = Open(Options());
  const auto reference = CreateReference(1);
  const auto top = RunTop(*backend, *world);
  ASSERT_TRUE(top.ok()) << top.status();
  const auto expected_top = RunTop(*reference, *world);
  ASSERT_TRUE(expected_top.ok()) << expected_top.status();
  EXPECT_EQ(Everything(*backend, **top), Everything(*reference, **expected_top));

  const auto child = RunChild(*backend, *world, *top);
  ASSERT_TRUE(child.ok()) << child.status();
  const auto expected_child = RunChild(*reference, *world, *expected_top);
  ASSERT_TRUE(expected_child.ok()) << expected_child.status();
  EXPECT_EQ(Everything(*backend, **child), Everything(*reference, **expected_child));
  EXPECT_THAT(backend->validation_messages(), IsEmpty());
}

TEST_P(BlockMemoryTest, ReadingCutsTogetherEqualsReadingThemApart) {
  constexpr std::uint32_t kSeed = 12;
  SCOPED_TRACE(testing::Message() << "seed " << kSeed);
  std::mt19937 random(kSeed);
  const auto below = [&](int end) {
    return static_cast<int>(random() % static_cast<std::uint32_t>(end));
  };
  const auto backend = Open(Options());
  std::vector<std::shared_ptr<const Block>> blocks;
  for (std::uint32_t i = 0; i < 3; ++i) {
    const auto block = backend->Upload(kShape, RandomPlane(2 * i), RandomPlane(2 * i + 1));
    ASSERT_TRUE(block.ok()) << block.status();
    blocks.push_back(*block);
  }
  const int side = kShape.ResultSide();
  const std::vector<Layer> layers = blocks.front()->layers().List();
  for (int round = 0; round < 20; ++round) {
    std::vector<Cut> cuts(static_cast<std::size_t>(1 + below(5)));
    for (Cut& cut : cuts) {
      cut.block = blocks[static_cast<std::size_t>(below(3))].get();
      cut.rect = {below(side), below(side), 0, 0};
      cut.rect.width = 1 + below(side - cut.rect.x);
      cut.rect.height = 1 + below(side - cut.rect.y);
      for (int i = below(4); i > 0; --i) {
        cut.layers.push_back(
            layers[static_cast<std::size_t>(below(static_cast<int>(layers.size())))]);
      }
    }
    const auto together = backend->ReadCuts(cuts);
    ASSERT_TRUE(together.ok()) << together.status();
    ASSERT_EQ(together->size(), cuts.size());
    for (std::size_t i = 0; i < cuts.size(); ++i) {
      ASSERT_EQ((*together)[i].planes.size(), cuts[i].layers.size());
      for (std::size_t plane = 0; plane < cuts[i].layers.size(); ++plane) {
        std::vector<std::int32_t> apart((*together)[i].planes[plane].size());
        const absl::Status read =
            backend->Read(*cuts[i].block, cuts[i].layers[plane], cuts[i].rect, apart);
        ASSERT_TRUE(read.ok()) << read;
        EXPECT_EQ((*together)[i].planes[plane], apart);
      }
      EXPECT_EQ((*together)[i].deviations, backend->ReadDeviations(*cuts[i].block).value());
    }
  }
  EXPECT_THAT(backend->validation_messages(), IsEmpty());
}

TEST_P(BlockMemoryTest, OneBadCutFailsTheRead) {
  const auto backend = Open(Options());
  const auto block = backend->Upload(kShape, RandomPlane(1), RandomPlane(2));
  ASSERT_TRUE(block.ok()) << block.status();
  const int side = kShape.ResultSide();
  const std::vector<Cut> cuts{{block->get(), {0, 0, 1, 1}, {Layer::kHeight}},
                              {block->get(), {1, 0, side, 1}, {Layer::kHeight}}};
  const auto read = backend->ReadCuts(cuts);
  EXPECT_EQ(read.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(read.status().message(), HasSubstr("invalid rectangle: expected one within "));
}

TEST_P(BlockMemoryTest, ReadsWhatWasUploaded) {
  constexpr std::uint32_t kSeed = 11;
  SCOPED_TRACE(testing::Message() << "seed " << kSeed);
  const auto backend = Open(Options());
  const auto height = RandomPlane(kSeed);
  const auto flow = RandomPlane(kSeed + 1);
  const auto block = backend->Upload(kShape, height, flow);
  ASSERT_TRUE(block.ok()) << block.status();

  const Rect rect{7, 9, 20, 3};
  std::vector<std::int32_t> values(60);
  ASSERT_TRUE(backend->Read(**block, Layer::kFlow, rect, values).ok());
  for (int y = 0; y < rect.height; ++y) {
    for (int x = 0; x < rect.width; ++x) {
      ASSERT_EQ(values[static_cast<std::size_t>(y * rect.width + x)],
                flow[static_cast<std::size_t>((rect.y + y) * kShape.ResultSide() + rect.x + x)]);
    }
  }
  std::vector<std::int32_t> all = Everything(*backend, **block);
  ASSERT_GT(all.size(), height.size() + flow.size());
  EXPECT_TRUE(std::equal(height.begin(), height.end(), all.begin()));
  EXPECT_EQ(all.back(), 0);
  EXPECT_THAT(backend->validation_messages(), IsEmpty());
}

TEST(VulkanBackendTest, ReusedBuffersAreClean) {
  const auto world = TestWorld(7);
  const auto backend = Open(TestOptions());
  const auto first = RunTop(*backend, *world);
  ASSERT_TRUE(first.ok()) << first.status();
  const std::vector<std::int32_t> expected = Everything(*backend, **first);
  for (std::uint64_t seed = 100; seed < 104; ++seed) {
    auto other = RunTop(*backend, *TestWorld(seed));
    ASSERT_TRUE(other.ok()) << other.status();
    auto child = RunChild(*backend, *TestWorld(seed), *other);
    ASSERT_TRUE(child.ok()) << child.status();
  }
  const auto again = RunTop(*backend, *world);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(Everything(*backend, **again), expected);
}

TEST(VulkanBackendTest, BlocksMayOutliveTheBackend) {
  auto backend = Open(TestOptions());
  auto block = RunTop(*backend, *TestWorld(1));
  ASSERT_TRUE(block.ok()) << block.status();
  backend.reset();
  *block = nullptr;
}

TEST(VulkanBackendTest, RefusesABlockOfAnotherBackend) {
  const auto world = TestWorld(1);
  const auto reference = CreateReference(1);
  const auto top = RunTop(*reference, *world);
  ASSERT_TRUE(top.ok()) << top.status();
  const auto backend = Open(TestOptions());
  const auto child = RunChild(*backend, *world, *top);
  EXPECT_EQ(child.status().code(), absl::StatusCode::kInvalidArgument) << child.status();
}

TEST(VulkanBackendTest, BatchesFollowTheBudget) {
  vulkan::VulkanOptions options = TestOptions();
  const auto world = TestWorld(1);
  const world::BlockShape shape = TestShapes(*world)[0];
  options.scratch_budget_bytes = std::size_t{64} << 20;
  const int many = Open(options)->MaxBatch(shape);
  options.scratch_budget_bytes = std::size_t{32} << 20;
  const int few = Open(options)->MaxBatch(shape);
  EXPECT_GT(few, 1);
  EXPECT_NEAR(many, 2 * few, 1);
}

TEST(VulkanBackendTest, AFullBatchFitsTheBudget) {
  vulkan::VulkanOptions options = TestOptions();
  options.scratch_budget_bytes = std::size_t{8} << 20;
  const auto backend = Open(options);
  const auto world = TestWorld(1);
  const world::BlockShape shape = TestShapes(*world)[1];
  const auto top = RunTop(*backend, *world);
  ASSERT_TRUE(top.ok()) << top.status();
  const std::vector<Job> jobs(static_cast<std::size_t>(backend->MaxBatch(shape)),
                              Job{0, 0, 0, *top, 0, 0});
  ASSERT_GT(jobs.size(), 1u);
  const auto blocks = backend->Run(world->level(1), shape, jobs, {});
  ASSERT_TRUE(blocks.ok()) << blocks.status();
  EXPECT_EQ(Everything(*backend, *blocks->front()), Everything(*backend, *blocks->back()));
}

TEST(VulkanBackendTest, SaysThatAWindowDoesNotFit) {
  vulkan::VulkanOptions options = TestOptions();
  options.scratch_budget_bytes = 1000;
  const auto backend = Open(options);
  const auto block = RunTop(*backend, *TestWorld(1));
  EXPECT_EQ(block.status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(block.status().message()),
              HasSubstr("invalid block: expected max 1000 bytes of scratch memory, got "));
}

}  // namespace
}  // namespace thalweg::backend
