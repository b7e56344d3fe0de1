// Runs that are done in parts, with other runs in between.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "gmock/gmock.h"
#include "server/backend/backend.h"
#include "tests/backend/test_level.h"

namespace thalweg::backend {
namespace {

using ::testing::IsEmpty;

using Blocks = std::vector<std::shared_ptr<const Block>>;

std::unique_ptr<PendingRun> BeginTop(Backend& backend, const world::World& world, int parts,
                                     StageTimes* times = nullptr) {
  RunOptions options;
  options.layers = LayerSet::All();  // as in RunTop
  options.parts = parts;
  options.stage_times = times;
  auto run = backend.Begin(world.level(0), TestShapes(world)[0], std::vector<Job>(1), options);
  EXPECT_TRUE(run.ok()) << run.status();
  return run.ok() ? *std::move(run) : nullptr;
}

std::vector<Dispatch> DispatchesOf(const std::vector<Segment>& segments) {
  std::vector<Dispatch> dispatches;
  for (const Segment& segment : segments) {
    dispatches.insert(dispatches.end(), segment.dispatches.begin(), segment.dispatches.end());
  }
  return dispatches;
}

// Every row of every dispatch is in one part, in the recording's order; parts cost about the same.
TEST(InPartsTest, KeepsEveryRowInOrder) {
  const auto world = TestWorld(4);
  const world::BlockShape shape = TestShapes(*world)[0];
  const std::vector<Segment> whole = world::Record(world->level(0), shape, {}, 1, {});
  double cost = 0;
  double costliest_row = 0;
  for (const Dispatch& dispatch : DispatchesOf(whole)) {
    cost += dispatch.Cost();
    costliest_row = std::max(costliest_row, dispatch.Cost() / dispatch.rows);
  }
  for (const int parts : {1, 2, 7, 100, 100'000}) {
    const auto cut = InParts(whole, parts);
    EXPECT_LE(cut.size(), static_cast<std::size_t>(parts));
    std::vector<Dispatch> rest = DispatchesOf(whole);
    std::size_t next = 0;
    std::size_t stages = 0;
    for (const std::vector<Segment>& part : cut) {
      double part_cost = 0;
      for (const Segment& segment : part) stages += segment.continues ? 0 : 1;
      for (const Dispatch& dispatch : DispatchesOf(part)) {
        part_cost += dispatch.Cost();
        ASSERT_LT(next, rest.size());
        const Dispatch expected = rest[next].TakeRows(dispatch.rows);
        EXPECT_EQ(dispatch.kernel, expected.kernel);
        EXPECT_EQ(dispatch.pass.y, expected.pass.y);
        EXPECT_EQ(dispatch.pass.width, expected.pass.width);
        if (rest[next].rows == 0) ++next;
      }
      EXPECT_GT(part_cost, 0);
      EXPECT_LE(part_cost, cost / parts + costliest_row + 1e-6 * cost) << parts << " parts";
    }
    EXPECT_EQ(next, rest.size()) << parts << " parts";
    EXPECT_EQ(stages, whole.size()) << parts << " parts";
  }
}

TEST(PartsTest, PartsAndRunsBetweenThemDoNotChangeTheBits) {
  const auto world = TestWorld(4);
  const auto other = TestWorld(5);
  const auto backend = Open(TestOptions());
  const auto expected = RunTop(*backend, *world);
  const auto other_expected = RunTop(*backend, *other);
  ASSERT_TRUE(expected.ok() && other_expected.ok());

  StageTimes times;
  const auto run = BeginTop(*backend, *world, 6, &times);
  EXPECT_EQ(run->parts_left(), 6);
  while (run->parts_left() > 0) {
    ASSERT_TRUE(run->Submit().ok());
    ASSERT_TRUE(run->Await().ok());
    const auto between = RunTop(*backend, *other);
    ASSERT_TRUE(between.ok()) << between.status();
    EXPECT_EQ(Everything(*backend, **between), Everything(*backend, **other_expected));
  }
  const Blocks blocks = run->Take();
  ASSERT_EQ(blocks.size(), 1U);
  EXPECT_EQ(Everything(*backend, *blocks.front()), Everything(*backend, **expected));
  if (!times.empty()) {
    EXPECT_EQ(times["thermal"].times, 1U);
  }
  EXPECT_THAT(backend->validation_messages(), IsEmpty());
}

// A part is recorded and submitted while another part, of the same run or not, is under way.
TEST(PartsTest, SeveralSubmissionsDoNotChangeTheBits) {
  const auto world = TestWorld(4);
  const auto other = TestWorld(5);
  vulkan::VulkanOptions options = TestOptions();
  options.max_submitted = 2;
  const auto backend = Open(options);
  EXPECT_EQ(backend->MaxSubmitted(), 2);
  const auto expected = RunTop(*backend, *world);
  const auto other_expected = RunTop(*backend, *other);
  ASSERT_TRUE(expected.ok() && other_expected.ok());
  const auto run = BeginTop(*backend, *world, 4);
  const auto second = BeginTop(*backend, *other, 3);
  for (const auto& turn :
       {run.get(), run.get(), second.get(), run.get(), second.get(), run.get(), second.get()}) {
    ASSERT_TRUE(turn->Submit().ok());
  }
  for (PendingRun* const one : {run.get(), second.get()}) {
    for (int part = 0; part < (one == run.get() ? 4 : 3); ++part) ASSERT_TRUE(one->Await().ok());
  }
  EXPECT_EQ(Everything(*backend, *run->Take().front()), Everything(*backend, **expected));
  EXPECT_EQ(Everything(*backend, *second->Take().front()), Everything(*backend, **other_expected));
  EXPECT_THAT(backend->validation_messages(), IsEmpty());
}

TEST(PartsTest, AnAbandonedRunLeavesNothingBehind) {
  const auto world = TestWorld(4);
  const auto backend = Open(TestOptions());
  const auto expected = RunTop(*backend, *world);
  ASSERT_TRUE(expected.ok());
  {
    const auto run = BeginTop(*backend, *world, 4);
    ASSERT_TRUE(run->Submit().ok());
    ASSERT_TRUE(run->Submit().ok());
  }
  const auto after = RunTop(*backend, *world);
  ASSERT_TRUE(after.ok()) << after.status();
  EXPECT_EQ(Everything(*backend, **after), Everything(*backend, **expected));
  EXPECT_THAT(backend->validation_messages(), IsEmpty());
}

TEST(PartsTest, ADeviceLostBetweenPartsFailsEveryRun) {
  const auto world = TestWorld(4);
  const auto backend = Open(TestOptions());
  const auto expected = RunTop(*backend, *world);
  ASSERT_TRUE(expected.ok()) << expected.status();
  const std::vector<std::int32_t> bits = Everything(*backend, **expected);
  const auto run = BeginTop(*backend, *world, 3);
  ASSERT_TRUE(run->Submit().ok());
  backend->SimulateDeviceLoss();
  EXPECT_EQ(RunTop(*backend, *world).status().code(), absl::StatusCode::kUnavailable);
  // The device works again, but the run from before the loss does not.
  EXPECT_EQ(run->Submit().code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(run->Await().code(), absl::StatusCode::kUnavailable);
  const auto after = RunTop(*backend, *world);
  ASSERT_TRUE(after.ok()) << after.status();
  EXPECT_EQ(Everything(*backend, **after), bits);
}

}  // namespace
}  // namespace thalweg::backend
