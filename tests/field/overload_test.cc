// A field with more requests than it can serve.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "proto/wire/status_details.h"
#include "server/field/field.h"
#include "server/sharing/fair_queue.h"
#include "tests/field/collector.h"
#include "tests/field/fake_backend.h"
#include "tests/field/test_world.h"

namespace thalweg::field {
namespace {

class OverloadTest : public testing::Test {
 protected:
  explicit OverloadTest(std::size_t max_requests = 80) {
    FieldOptions options;
    options.max_requests = max_requests;
    field_ = std::make_unique<Field>(MakeFakeBackend(device_), options);
    // All later requests must wait behind this one.
    device_->Close();
    Ask(-1'000, Priority::kInteractive);
    device_->AwaitRunAtGate();
  }

  // Asks for tile x of level 0, and returns the request's number.
  int Ask(std::int64_t x, Priority priority, std::uint64_t client = 0) {
    TileRequest request{world_, {0, 0, x, 0}, {backend::Layer::kHeight}, priority};
    request.client = client;
    field_->Request(request, collector_.For(asked_));
    return asked_++;
  }

  // How many other blocks were computed before that of tile x.
  std::ptrdiff_t PlaceOf(std::int64_t x) const {
    std::vector<std::int64_t> order;
    for (const FakeRun& run : device_->runs()) {
      for (const world::BlockKey& block : run.blocks) order.push_back(block.x);
    }
    return std::find(order.begin(), order.end(), x) - order.begin();
  }

  std::shared_ptr<const world::World> world_ = TestWorld();
  std::shared_ptr<FakeDevice> device_ = std::make_shared<FakeDevice>(1);
  Collector collector_;
  int asked_ = 0;
  std::unique_ptr<Field> field_;
};

class FullQueueTest : public OverloadTest {
 protected:
  FullQueueTest() : OverloadTest(40) {}

  // Asks for tile n, as a client with no other request.
  int AskAlone(int n, Priority priority) { return Ask(n, priority, static_cast<std::uint64_t>(n)); }
};

TEST_F(FullQueueTest, RefusesBakesFirstThenPrefetchesThenAll) {
  // One request already waits at the gate.
  for (int n = 1; n < 20; ++n) AskAlone(n, Priority::kBake);
  EXPECT_EQ(collector_.answers(), 0u);
  const absl::Status refusal = collector_.StatusOf(AskAlone(20, Priority::kBake));
  EXPECT_EQ(refusal.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_GT(wire::RetryDelayOf(refusal).value().count(), 0);
  for (int n = 20; n < 30; ++n) AskAlone(n, Priority::kPrefetch);
  EXPECT_EQ(collector_.StatusOf(AskAlone(30, Priority::kPrefetch)).code(),
            absl::StatusCode::kResourceExhausted);
  for (int n = 30; n < 40; ++n) AskAlone(n, Priority::kInteractive);
  EXPECT_EQ(collector_.StatusOf(AskAlone(40, Priority::kInteractive)).code(),
            absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(field_->stats().requests_refused, 3u);
  device_->Open();
  // All accepted requests are answered. Then there is room again.
  collector_.Await(43);
  const int again = Ask(50, Priority::kBake);
  collector_.Await(44);
  EXPECT_TRUE(collector_.StatusOf(again).ok());
}

// One request waits at the gate: 39 places are left.
TEST_F(FullQueueTest, AGreedyClientLeavesRoomForOthers) {
  for (int n = 1; n <= 1'000; ++n) Ask(n, Priority::kInteractive, 1);
  EXPECT_EQ(field_->stats().requests_waiting, 1u + 20u);
  EXPECT_EQ(field_->stats().requests_refused, 980u);
  const absl::Status refusal = collector_.StatusOf(Ask(2'000, Priority::kInteractive, 1));
  EXPECT_EQ(refusal.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(refusal.message(),
            "compute a tile: the queue is full for this caller: max 40 requests of this priority, "
            "waiting: 21, of this caller: 20; try again later");
  // Another client gets places, also for more than one tile.
  for (int n = 1; n <= 10; ++n) Ask(3'000 + n, Priority::kInteractive, 2);
  EXPECT_EQ(field_->stats().requests_refused, 981u);
  EXPECT_EQ(field_->stats().requests_waiting, 31u);
  device_->Open();
  collector_.Await(static_cast<std::size_t>(asked_));
  // The answered requests hold no places any more.
  for (int n = 1; n <= 20; ++n) Ask(4'000 + n, Priority::kInteractive, 1);
  collector_.Await(static_cast<std::size_t>(asked_));
  EXPECT_EQ(field_->stats().requests_refused, 981u);
}

// An interactive block comes between the parts of a bake, so it is done before the bake's block.
TEST_F(OverloadTest, InteractiveRequestsRunBetweenThePartsOfABake) {
  device_->RunInParts(4);
  const int bake = Ask(1, Priority::kBake);
  device_->PassOne();  // the run that the others wait behind
  device_->AwaitRunAtGate();
  const int looked_at = Ask(2, Priority::kInteractive);
  const int other_bake = Ask(3, Priority::kBake);
  device_->Open();
  collector_.Await(4);
  EXPECT_THAT(collector_.Order(), testing::ElementsAre(0, looked_at, bake, other_bake));
}

TEST_F(OverloadTest, ABakeThatIsNeededInteractivelyIsFinishedFirst) {
  device_->RunInParts(4);
  const int bake = Ask(1, Priority::kBake);
  device_->PassOne();
  device_->AwaitRunAtGate();
  const int same = Ask(1, Priority::kInteractive);
  const int other = Ask(2, Priority::kInteractive);
  device_->Open();
  collector_.Await(4);
  const std::vector<int> order = collector_.Order();
  EXPECT_LT(std::find(order.begin(), order.end(), same),
            std::find(order.begin(), order.end(), other));
  EXPECT_EQ(device_->TimesComputed({0, 0, 1, 0}), 1);
  EXPECT_TRUE(collector_.StatusOf(bake).ok());
  EXPECT_TRUE(collector_.StatusOf(same).ok());
}

// Another client's block comes between the parts of an interactive one. The client's own doesn't.
TEST_F(OverloadTest, AnotherClientsBlockRunsBetweenTheParts) {
  device_->RunInParts(4);
  const int long_one = Ask(1, Priority::kInteractive, 1);
  device_->PassOne();  // the run that the others wait behind
  device_->AwaitRunAtGate();
  const int own = Ask(2, Priority::kInteractive, 1);
  const int other = Ask(3, Priority::kInteractive, 2);
  device_->Open();
  collector_.Await(4);
  EXPECT_THAT(collector_.Order(), testing::ElementsAre(0, other, long_one, own));
}

TEST_F(OverloadTest, ADeviceLostBetweenPartsRepeatsAllParts) {
  device_->RunInParts(4);
  const int bake = Ask(1, Priority::kBake);
  device_->PassOne();
  device_->AwaitRunAtGate();
  device_->FailOnce([](const FakeRun& run) { return run.blocks.front().x == 2; },
                    absl::UnavailableError("lost"));
  const int looked_at = Ask(2, Priority::kInteractive);
  device_->Open();
  collector_.Await(3);
  EXPECT_TRUE(collector_.StatusOf(bake).ok());
  EXPECT_TRUE(collector_.StatusOf(looked_at).ok());
  EXPECT_EQ(device_->TimesComputed({0, 0, 1, 0}), 2);
  EXPECT_EQ(field_->stats().device_losses, 1u);
}

// While a part runs, the next one is submitted; after a batch's last part, the next batch's first.
TEST_F(OverloadTest, ADeviceGetsAsManySubmissionsAsItAllows) {
  device_->SubmitSeveral(2);
  device_->RunInParts(4);
  const int bake = Ask(1, Priority::kBake);
  const int other = Ask(2, Priority::kBake);
  device_->Open();
  collector_.Await(3);
  EXPECT_TRUE(collector_.StatusOf(bake).ok());
  EXPECT_TRUE(collector_.StatusOf(other).ok());
  EXPECT_EQ(device_->peak_submitted(), 2);
}

// The twin: without SubmitSeveral, parts are submitted one at a time.
TEST_F(OverloadTest, PartsAreSubmittedOneAtATimeByDefault) {
  device_->RunInParts(4);
  Ask(1, Priority::kBake);
  Ask(2, Priority::kBake);
  device_->Open();
  collector_.Await(3);
  EXPECT_EQ(device_->peak_submitted(), 1);
}

TEST_F(OverloadTest, SmallRequestsDoNotWaitForAGreedyClient) {
  for (int n = 1; n <= 30; ++n) Ask(n, Priority::kInteractive, 1);
  Ask(100, Priority::kInteractive, 2);
  device_->Open();
  collector_.Await(32);
  // Before it come only the block at the gate and one round.
  EXPECT_LE(PlaceOf(100), 1 + sharing::kCellsARound / sharing::kLeastCells);
}

// The twin: for a single client there are no turns, so it is first come, first served.
TEST_F(OverloadTest, RequestsOfOneClientKeepTheirOrder) {
  for (int n = 1; n <= 30; ++n) Ask(n, Priority::kInteractive, 1);
  Ask(100, Priority::kInteractive, 1);
  device_->Open();
  collector_.Await(32);
  EXPECT_EQ(PlaceOf(100), 31);
}

TEST_F(OverloadTest, PriorityOverridesTurns) {
  for (int n = 1; n <= 15; ++n) Ask(n, Priority::kBake, 1);
  for (int n = 16; n <= 35; ++n) Ask(n, Priority::kInteractive, 2);
  device_->Open();
  collector_.Await(36);
  EXPECT_EQ(PlaceOf(1), 21);
}

}  // namespace
}  // namespace thalweg::field
