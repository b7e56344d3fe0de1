// Runs that are done in parts, with others in between.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "gmock/gmock.h"
#include "server/backend/recording.h"
#include "tests/backend/test_level.h"

namespace thalweg::backend {
namespace {

using ::testing::IsEmpty;

using Blocks = absl::StatusOr<std::vector<std::shared_ptr<const Block>>>;

Blocks RunTopInParts(Backend& backend, const world::World& world, const RunOptions& options) {
  return backend.Run(world.level(0), TestShapes(world)[0], std::vector<Job>(1), options);
}

std::size_t DispatchesOf(const std::vector<Segment>& segments) {
  std::size_t dispatches = 0;
  for (const Segment& segment : segments) dispatches += segment.dispatches.size();
  return dispatches;
}

TEST(InPartsTest, KeepsEveryDispatchInOrder) {
  const auto world = TestWorld(4);
  const world::BlockShape shape = TestShapes(*world)[0];
  const std::vector<Segment> whole = Record(world->level(0), shape, {}, 1, {});
  for (const int parts : {1, 2, 7, 10'000}) {
    const auto cut = InParts(whole, parts);
    EXPECT_LE(cut.size(), static_cast<std::size_t>(parts));
    EXPECT_GE(cut.size(), parts < 10'000 ? static_cast<std::size_t>(parts) : 2U);
    std::vector<stages::Kernel> kernels;
    std::size_t stages = 0;
    for (const std::vector<Segment>& part : cut) {
      EXPECT_GT(DispatchesOf(part), 0U);
      for (const Segment& segment : part) {
        stages += segment.continues ? 0 : 1;
        for (const Dispatch& dispatch : segment.dispatches) kernels.push_back(dispatch.kernel);
      }
    }
    std::vector<stages::Kernel> expected;
    for (const Segment& segment : whole) {
      for (const Dispatch& dispatch : segment.dispatches) expected.push_back(dispatch.kernel);
    }
    EXPECT_TRUE(kernels == expected) << parts << " parts";
    EXPECT_EQ(stages, whole.size()) << parts << " parts";
  }
}

TEST(PartsTest, PartsAndWhatRunsInBetweenDoNotShowInTheBits) {
  const auto world = TestWorld(4);
  const auto other = TestWorld(5);
  const auto backend = Open(TestOptions());
  const auto expected = RunTop(*backend, *world);
  const auto other_expected = RunTop(*backend, *other);
  ASSERT_TRUE(expected.ok() && other_expected.ok());

  int pauses = 0;
  StageTimes times;
  RunOptions options;
  options.layers = LayerSet::All();  // as RunTop has it
  options.parts = 6;
  options.stage_times = &times;
  options.between = [&] {
    ++pauses;
    const auto between = RunTop(*backend, *other);
    ASSERT_TRUE(between.ok()) << between.status();
    EXPECT_EQ(Everything(*backend, **between), Everything(*backend, **other_expected));
  };
  const Blocks blocks = RunTopInParts(*backend, *world, options);
  ASSERT_TRUE(blocks.ok()) << blocks.status();
  EXPECT_EQ(pauses, 5);
  EXPECT_EQ(Everything(*backend, *blocks->front()), Everything(*backend, **expected));
  if (!times.empty()) {
    EXPECT_EQ(times["thermal"].times, 1U);
  }
  EXPECT_THAT(backend->validation_messages(), IsEmpty());
}

TEST(PartsTest, WhatRunsInBetweenIsNotHeldUpItself) {
  const auto world = TestWorld(4);
  const auto backend = Open(TestOptions());
  int pauses = 0;
  RunOptions inner;
  inner.parts = 6;
  inner.between = [&] { ADD_FAILURE() << "a pause within a pause"; };
  RunOptions options;
  options.parts = 2;
  options.between = [&] {
    ++pauses;
    EXPECT_TRUE(RunTopInParts(*backend, *world, inner).ok());
  };
  EXPECT_TRUE(RunTopInParts(*backend, *world, options).ok());
  EXPECT_EQ(pauses, 1);
}

TEST(PartsTest, ADeviceThatIsLostInBetweenIsLostForTheRunAroundItToo) {
  const auto world = TestWorld(4);
  const auto backend = Open(TestOptions());
  const auto expected = RunTop(*backend, *world);
  ASSERT_TRUE(expected.ok()) << expected.status();
  const std::vector<std::int32_t> bits = Everything(*backend, **expected);
  RunOptions options;
  options.parts = 3;
  options.between = [&] {
    backend->SimulateDeviceLoss();
    EXPECT_EQ(RunTop(*backend, *world).status().code(), absl::StatusCode::kUnavailable);
  };
  EXPECT_EQ(RunTopInParts(*backend, *world, options).status().code(),
            absl::StatusCode::kUnavailable);
  const auto after = RunTop(*backend, *world);
  ASSERT_TRUE(after.ok()) << after.status();
  EXPECT_EQ(Everything(*backend, **after), bits);
}

}  // namespace
}  // namespace thalweg::backend
