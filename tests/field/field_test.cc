#include "server/field/field.h"

#include <memory>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/field/collector.h"
#include "tests/field/fake_backend.h"
#include "tests/field/test_block.h"
#include "tests/field/test_world.h"

namespace thalweg::field {
namespace {

using backend::Layer;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;
using world::BlockKey;

class FieldTest : public ::testing::Test {
 protected:
  TileRequest At(int level, std::int64_t x, std::int64_t y,
                 Priority priority = Priority::kInteractive) {
    return {world_, {0, level, x, y}, {Layer::kHeight}, priority};
  }

  void Start(const FieldOptions& options = {}, int max_batch = 4) {
    device_ = std::make_shared<FakeDevice>(max_batch);
    field_ = std::make_unique<Field>(MakeFakeBackend(device_), options);
  }

  // Occupies the field's thread with a run at the closed gate, so that the next requests must wait
  // in the queue.
  void Occupy() {
    device_->Close();
    field_->Request(At(0, 1000, 1000), occupier_.For(0));
    device_->AwaitRunAtGate();
  }

  // The blocks of each run, without the run of Occupy.
  std::vector<std::vector<BlockKey>> Batches() {
    std::vector<std::vector<BlockKey>> batches;
    for (const FakeRun& run : device_->runs()) {
      if (run.blocks[0].x != 1000) batches.push_back(run.blocks);
    }
    return batches;
  }

  std::shared_ptr<const world::World> world_ = TestWorld();
  std::shared_ptr<FakeDevice> device_;
  Collector occupier_;
  Collector collector_;
  std::unique_ptr<Field> field_;  // destroyed first: its callbacks use the collectors
};

TEST_F(FieldTest, ReadsTheValuesOfATilesVertices) {
  for (const int block_cells : {256, 512, 1024}) {
    SCOPED_TRACE(block_cells);
    Start({.block_cells = block_cells});
    Collector collector;
    TileRequest request = At(3, -3, (std::int64_t{1} << 39) + 2);
    request.layers = {Layer::kFlow, Layer::kUplift, Layer::kHeight};
    field_->Request(request, collector.For(0));
    collector.Await(1);
    const absl::StatusOr<TileValues> values = collector.Answer(0);
    ASSERT_TRUE(values.ok()) << values.status();
    EXPECT_EQ(WrongValues(request, *values), 0u);
    const int tiles = block_cells / 256;
    EXPECT_EQ(values->geometric_error, 1000 * (2 % tiles) + (tiles - 3 % tiles) % tiles);
    field_.reset();
  }
}

TEST_F(FieldTest, ReadsTilesOfOnePriorityTogether) {
  constexpr int kTiles = 12;
  Start({}, kTiles);
  Occupy();
  std::vector<TileRequest> requests;
  for (int x = 0; x < kTiles; ++x) requests.push_back(At(0, x, 0));
  requests.push_back(At(0, 0, 0, Priority::kBake));
  requests.back().layers = {Layer::kFlow, Layer::kHeight};
  for (std::size_t i = 0; i < requests.size(); ++i) {
    field_->Request(requests[i], collector_.For(static_cast<int>(i)));
  }
  device_->Open();
  collector_.Await(requests.size());
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const absl::StatusOr<TileValues> values = collector_.Answer(static_cast<int>(i));
    ASSERT_TRUE(values.ok()) << values.status();
    EXPECT_EQ(WrongValues(requests[i], *values), 0u);
  }
  // First the tile of Occupy, then the twelve tiles as eight and four, then the bake's tile.
  EXPECT_THAT(device_->reads(), ElementsAre(1, 8, 4, 1));
  EXPECT_EQ(field_->stats().reads.times, requests.size() + 1);
}

TEST_F(FieldTest, AFailedReadFailsOnlyItsTiles) {
  Start();
  Occupy();
  field_->Request(At(0, 0, 0), collector_.For(0));
  field_->Request(At(0, 1, 0), collector_.For(1));
  device_->FailReadOnce(absl::InternalError("out of luck"));
  device_->Open();
  collector_.Await(2);
  occupier_.Await(1);
  // The first read is that of Occupy.
  EXPECT_THAT(occupier_.StatusOf(0).message(), HasSubstr("out of luck"));
  EXPECT_TRUE(collector_.StatusOf(0).ok()) << collector_.StatusOf(0);
  EXPECT_TRUE(collector_.StatusOf(1).ok()) << collector_.StatusOf(1);
}

// Level 5 is the last one: there the margin is the only use of a block's apron.
TEST_F(FieldTest, ReadsAMarginAroundATile) {
  for (const int block_cells : {256, 512}) {
    for (const int level : {0, 5}) {
      SCOPED_TRACE(testing::Message() << block_cells << " cells, level " << level);
      Start({.block_cells = block_cells});
      Collector collector;
      TileRequest request = At(level, -1, 7);
      request.layers = {Layer::kHeight, Layer::kWear};
      request.margin = world::kMinApron;
      field_->Request(request, collector.For(0));
      collector.Await(1);
      const absl::StatusOr<TileValues> values = collector.Answer(0);
      ASSERT_TRUE(values.ok()) << values.status();
      EXPECT_EQ(WrongValues(request, *values), 0u);
      request.margin = 0;
      EXPECT_GT(WrongValues(request, *values), 0u);
      field_.reset();
    }
  }
}

TEST_F(FieldTest, TheCheckFindsWrongValues) {
  Start();
  const TileRequest request = At(1, 0, 0);
  field_->Request(request, collector_.For(0));
  collector_.Await(1);
  TileValues values = *collector_.Answer(0);
  values.planes[0][1234] += 1;
  EXPECT_EQ(WrongValues(request, values), 1u);
  EXPECT_GT(WrongValues(At(1, 1, 0), *collector_.Answer(0)), 60000u);
}

TEST_F(FieldTest, ManyCallersShareOneComputation) {
  Start();
  Occupy();
  constexpr int kThreads = 8;
  constexpr int kEach = 25;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      for (int i = 0; i < kEach; ++i) {
        field_->Request(At(4, 3, 5), collector_.For(thread * kEach + i));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(field_->stats().blocks_queued, 5u);
  device_->Open();
  collector_.Await(kThreads * kEach);
  for (int level = 0; level <= 4; ++level) {
    EXPECT_EQ(device_->TimesComputed({0, level, 3 >> (4 - level), 5 >> (4 - level)}), 1);
  }
  EXPECT_EQ(field_->stats().blocks_computed, 6u);
  EXPECT_EQ(collector_.repeated(), 0);
}

TEST_F(FieldTest, CancelledWorkIsNotComputed) {
  Start();
  Occupy();
  const Field::RequestId id = field_->Request(At(4, 0, 0), collector_.For(0));
  EXPECT_EQ(field_->stats().blocks_queued, 5u);
  field_->Cancel(id);
  EXPECT_EQ(field_->stats().blocks_queued, 0u);
  EXPECT_EQ(field_->stats().blocks_dropped, 5u);
  device_->Open();
  collector_.Await(1);
  EXPECT_TRUE(absl::IsCancelled(collector_.StatusOf(0)));
  occupier_.Await(1);
  EXPECT_EQ(device_->runs().size(), 1u);
}

TEST_F(FieldTest, CancellingOneOfTwoKeepsSharedWork) {
  Start();
  Occupy();
  const Field::RequestId id = field_->Request(At(2, 0, 0), collector_.For(0));
  field_->Request(At(2, 0, 0), collector_.For(1));
  field_->Cancel(id);
  EXPECT_EQ(field_->stats().blocks_dropped, 0u);
  device_->Open();
  collector_.Await(2);
  EXPECT_TRUE(absl::IsCancelled(collector_.StatusOf(0)));
  EXPECT_TRUE(collector_.StatusOf(1).ok());
}

TEST_F(FieldTest, CancellingTwiceOrAfterTheAnswerDoesNothing) {
  Start();
  const Field::RequestId id = field_->Request(At(0, 0, 0), collector_.For(0));
  collector_.Await(1);
  field_->Cancel(id);
  field_->Cancel(id);
  field_->Cancel(id + 1000);
  field_.reset();
  EXPECT_EQ(collector_.answers(), 1u);
  EXPECT_TRUE(collector_.StatusOf(0).ok());
}

TEST_F(FieldTest, CoarseLevelsComeFirstInBatchesOfOneLevel) {
  Start({}, 3);
  Occupy();
  for (int i = 0; i < 4; ++i) field_->Request(At(1, 2 * i, 0), collector_.For(i));
  device_->Open();
  collector_.Await(4);
  EXPECT_THAT(Batches(),
              ElementsAre(std::vector<BlockKey>{{0, 0, 0, 0}, {0, 0, 1, 0}, {0, 0, 2, 0}},
                          std::vector<BlockKey>{{0, 0, 3, 0}},
                          std::vector<BlockKey>{{0, 1, 0, 0}, {0, 1, 2, 0}, {0, 1, 4, 0}},
                          std::vector<BlockKey>{{0, 1, 6, 0}}));
}

TEST_F(FieldTest, UrgentRequestsComeFirst) {
  Start();
  Occupy();
  field_->Request(At(0, 1, 0, Priority::kBake), collector_.For(0));
  field_->Request(At(1, 4, 0, Priority::kPrefetch), collector_.For(1));
  field_->Request(At(2, 32, 0, Priority::kInteractive), collector_.For(2));
  device_->Open();
  collector_.Await(3);
  EXPECT_THAT(Batches(),
              ElementsAre(ElementsAre(BlockKey{0, 0, 8, 0}), ElementsAre(BlockKey{0, 1, 16, 0}),
                          ElementsAre(BlockKey{0, 2, 32, 0}), ElementsAre(BlockKey{0, 0, 2, 0}),
                          ElementsAre(BlockKey{0, 1, 4, 0}), ElementsAre(BlockKey{0, 0, 1, 0})));
}

TEST_F(FieldTest, ARaisedRequestOvertakesOthers) {
  Start({}, 1);
  Occupy();
  for (int x = 0; x < 4; ++x) field_->Request(At(0, x, 0, Priority::kPrefetch), collector_.For(x));
  const auto id = field_->Request(At(0, 9, 0, Priority::kBake), collector_.For(9));
  field_->Raise(id, Priority::kInteractive);
  // Less urgent than it is now, and a request that is not there.
  field_->Raise(id, Priority::kBake);
  field_->Raise(id + 100, Priority::kInteractive);
  device_->Open();
  collector_.Await(5);
  EXPECT_EQ(Batches().front(), std::vector<BlockKey>({{0, 0, 9, 0}}));
}

// The twin: it would be the last one.
TEST_F(FieldTest, ARequestThatIsNotRaisedOvertakesNone) {
  Start({}, 1);
  Occupy();
  for (int x = 0; x < 4; ++x) field_->Request(At(0, x, 0, Priority::kPrefetch), collector_.For(x));
  field_->Request(At(0, 9, 0, Priority::kBake), collector_.For(9));
  device_->Open();
  collector_.Await(5);
  EXPECT_EQ(Batches().back(), std::vector<BlockKey>({{0, 0, 9, 0}}));
}

TEST_F(FieldTest, ARaisedReadOvertakesRuns) {
  for (const bool raises : {false, true}) {
    Start({}, 1);
    Collector kept;
    Collector collector;
    field_->Request(At(0, 5, 5), kept.For(0));
    kept.Await(1);
    Occupy();
    const auto id = field_->Request(At(0, 5, 5, Priority::kBake), collector.For(0));
    for (int n = 1; n <= 2; ++n) {
      field_->Request(At(0, 6 + n, 6, Priority::kPrefetch), collector.For(n));
    }
    if (raises) field_->Raise(id, Priority::kInteractive);
    device_->Open();
    collector.Await(3);
    EXPECT_EQ(collector.Order().front(), raises ? 0 : 1);
    field_.reset();
  }
}

TEST_F(FieldTest, AnInteractiveTileOfAKeptBlockIsReadBeforeRuns) {
  Start();
  field_->Request(At(0, 0, 0), collector_.For(0));
  collector_.Await(1);
  Occupy();
  field_->Request(At(3, 0, 0), collector_.For(1));
  field_->Request(At(0, 0, 0), collector_.For(2));
  device_->PassOne();
  device_->AwaitRunAtGate();  // the run of the chain's next block: the reads came before it
  EXPECT_EQ(collector_.answers(), 2u);
  EXPECT_TRUE(collector_.StatusOf(2).ok());
  device_->Open();
  collector_.Await(3);
}

TEST_F(FieldTest, KeptBlocksStayUnderTheBudget) {
  const std::size_t block = TestBlock({}, 256).bytes() * 2;  // with any apron of these worlds
  Start({.block_budget_bytes = 8 * block}, 1);
  std::size_t largest = 0;
  for (int i = 0; i < 60; ++i) {
    field_->Request(At(0, i, 0), collector_.For(i));
    collector_.Await(static_cast<std::size_t>(i) + 1);
    largest = std::max(largest, field_->stats().bytes_on_device);
    EXPECT_LE(device_->live_blocks(), 16);
  }
  EXPECT_LE(largest, 8 * block);
  EXPECT_GT(largest, 2 * block);
  field_->Request(At(0, 59, 0), collector_.For(60));
  field_->Request(At(0, 0, 0), collector_.For(61));
  collector_.Await(62);
  EXPECT_EQ(device_->TimesComputed({0, 0, 59, 0}), 1);
  EXPECT_EQ(device_->TimesComputed({0, 0, 0, 0}), 2);
}

TEST_F(FieldTest, AChainIsComputedWithABudgetOfZero) {
  Start({.block_budget_bytes = 0});
  const TileRequest request = At(5, 17, -20);
  field_->Request(request, collector_.For(0));
  collector_.Await(1);
  ASSERT_TRUE(collector_.StatusOf(0).ok());
  EXPECT_EQ(WrongValues(request, *collector_.Answer(0)), 0u);
  EXPECT_EQ(field_->stats().bytes_on_device, 0u);
  EXPECT_EQ(device_->live_blocks(), 0);
}

TEST_F(FieldTest, AnErrorReachesAllWaitersAndALaterRequestRetries) {
  Start({}, 1);
  Occupy();
  device_->FailOnce(
      [](const FakeRun& run) {
        return run.blocks[0] == BlockKey{0, 1, 0, 0};
      },
      absl::InternalError("a broken device"));
  field_->Request(At(1, 0, 0), collector_.For(0));
  field_->Request(At(3, 3, 2), collector_.For(1));
  field_->Request(At(2, 4, 0), collector_.For(2));  // another subtree of the same root
  device_->Open();
  collector_.Await(3);
  for (const int number : {0, 1}) {
    EXPECT_TRUE(absl::IsInternal(collector_.StatusOf(number)));
    EXPECT_THAT(collector_.StatusOf(number).message(), HasSubstr("a broken device"));
    EXPECT_THAT(collector_.StatusOf(number).message(), HasSubstr("level 1 of world 'test-1'"));
  }
  EXPECT_TRUE(collector_.StatusOf(2).ok()) << collector_.StatusOf(2);
  field_->Request(At(3, 3, 2), collector_.For(3));
  collector_.Await(4);
  EXPECT_TRUE(collector_.StatusOf(3).ok());
  EXPECT_EQ(field_->stats().blocks_queued, 0u);
}

TEST_F(FieldTest, WorkOfALostDeviceIsRepeated) {
  Start();
  field_->Request(At(2, 0, 0), collector_.For(0));
  collector_.Await(1);
  device_->Lose();
  // Request 1 meets the loss in a read, request 2 in a run whose parent is lost.
  field_->Request(At(2, 0, 0), collector_.For(1));
  field_->Request(At(3, 0, 0), collector_.For(2));
  collector_.Await(3);
  EXPECT_TRUE(collector_.StatusOf(1).ok()) << collector_.StatusOf(1);
  EXPECT_TRUE(collector_.StatusOf(2).ok()) << collector_.StatusOf(2);
  EXPECT_EQ(device_->TimesComputed({0, 0, 0, 0}), 2);
}

TEST_F(FieldTest, ADeviceLostTwiceFailsTheRequest) {
  Start();
  const auto finest = [](const FakeRun& run) { return run.level == 3; };
  device_->FailOnce(finest, absl::UnavailableError("device lost"));
  device_->FailOnce(finest, absl::UnavailableError("device lost again"));
  field_->Request(At(3, 0, 0), collector_.For(0));
  collector_.Await(1);
  EXPECT_TRUE(absl::IsUnavailable(collector_.StatusOf(0)));
  EXPECT_THAT(collector_.StatusOf(0).message(), HasSubstr("device lost again"));
  field_->Request(At(3, 0, 0), collector_.For(1));
  collector_.Await(2);
  EXPECT_TRUE(collector_.StatusOf(1).ok());
}

TEST_F(FieldTest, AMissingLayerOfAKeptBlockIsComputed) {
  Start();
  field_->Request(At(1, 0, 0), collector_.For(0));
  collector_.Await(1);
  TileRequest request = At(1, 0, 0);
  request.layers = {Layer::kWashLoad};
  field_->Request(request, collector_.For(1));
  collector_.Await(2);
  EXPECT_EQ(WrongValues(request, *collector_.Answer(1)), 0u);
  EXPECT_EQ(device_->TimesComputed({0, 1, 0, 0}), 2);
  EXPECT_EQ(device_->TimesComputed({0, 0, 0, 0}), 1);
}

TEST_F(FieldTest, WorldsDoNotMix) {
  Start();
  TileRequest other = At(2, 1, 1);
  other.world = TestWorld(6, 2);
  field_->Request(At(2, 1, 1), collector_.For(0));
  field_->Request(other, collector_.For(1));
  collector_.Await(2);
  EXPECT_EQ(WrongValues(At(2, 1, 1), *collector_.Answer(0)), 0u);
  EXPECT_EQ(WrongValues(other, *collector_.Answer(1)), 0u);
}

TEST_F(FieldTest, StopFailsWaitingRequestsAfterTheCurrentRun) {
  Start({}, 1);
  Occupy();
  for (int i = 0; i < 5; ++i) field_->Request(At(3, i, 0), collector_.For(i));
  std::thread stopper([&] { field_->Stop(); });
  // Once a request is answered although the gate is closed, the field is stopping.
  Collector probe;
  for (int number = 0; probe.answers() == 0; ++number) {
    field_->Request(At(5, 0, 0), probe.For(number));
    std::this_thread::yield();
  }
  EXPECT_EQ(collector_.answers(), 0u);
  device_->Open();
  stopper.join();
  ASSERT_EQ(collector_.answers(), 5u);
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(absl::IsUnavailable(collector_.StatusOf(i)));
  EXPECT_EQ(device_->runs().size(), 1u);
  EXPECT_EQ(field_->stats().blocks_queued, 0u);
  field_->Stop();
  field_.reset();
  EXPECT_EQ(collector_.repeated() + probe.repeated(), 0);
}

TEST_F(FieldTest, AnAnswerMayRequestAndCancel) {
  Start();
  Occupy();
  const Field::RequestId victim = field_->Request(At(5, 9, 9), collector_.For(1));
  field_->Request(At(0, 0, 0), [&](const absl::StatusOr<TileValues>& values) {
    EXPECT_TRUE(values.ok());
    field_->Cancel(victim);
    EXPECT_EQ(field_->stats().blocks_queued, 0u);
    field_->Request(At(1, 0, 0), collector_.For(0));
  });
  device_->Open();
  collector_.Await(2);
  EXPECT_TRUE(collector_.StatusOf(0).ok());
  EXPECT_TRUE(absl::IsCancelled(collector_.StatusOf(1)));
}

TEST_F(FieldTest, TheFieldFreesItsBlocks) {
  Start();
  field_->Request(At(4, 0, 0), collector_.For(0));
  collector_.Await(1);
  EXPECT_GT(device_->live_blocks(), 0);
  field_.reset();
  EXPECT_EQ(device_->live_blocks(), 0);
}

// An exception of the backend ends neither the thread nor the server.
TEST_F(FieldTest, ARunThatThrowsIsAnInternalError) {
  Start();
  device_->FailOnce(
      [thrown = false](const FakeRun&) mutable {
        if (!std::exchange(thrown, true)) throw std::out_of_range("no such stage");
        return false;
      },
      absl::OkStatus());
  field_->Request(At(0, 1, 1), collector_.For(1));
  collector_.Await(1);
  EXPECT_EQ(collector_.StatusOf(1).code(), absl::StatusCode::kInternal);
  EXPECT_THAT(std::string(collector_.StatusOf(1).message()), HasSubstr("no such stage"));
  field_->Request(At(0, 1, 1), collector_.For(2));
  collector_.Await(2);
  EXPECT_TRUE(collector_.StatusOf(2).ok()) << collector_.StatusOf(2);
}

}  // namespace
}  // namespace thalweg::field
