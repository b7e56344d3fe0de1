// Which calls wait for which computations, seen by the callers.
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <vector>

#include "tests/service/test_server.h"

namespace thalweg::service {
namespace {

TEST(WaitingTest, ManyCallersShareOneComputation) {
  TestServer server;
  server.device().Close();
  constexpr std::size_t kCallers = 32;
  std::vector<std::unique_ptr<PendingTile>> callers;
  for (std::size_t k = 0; k < kCallers; ++k) {
    callers.push_back(std::make_unique<PendingTile>(server, TileRequestOf(1, 4, 4)));
  }
  AwaitTrue([&] { return server.tiles().stats().joined == kCallers - 1; });
  server.device().Open();
  for (const auto& caller : callers) {
    ASSERT_TRUE(caller->Await().ok());
    EXPECT_EQ(caller->tile().SerializeAsString(), callers[0]->tile().SerializeAsString());
  }
  EXPECT_EQ(server.tiles().stats().tiles_encoded, 1U);
  EXPECT_EQ(server.tiles().field_stats().blocks_computed, 2U);  // the block and its parent
  EXPECT_EQ(server.device().TimesComputed({0, 1, 4, 4}), 1);
}

// The twin: each tile takes a computation.
TEST(WaitingTest, ManyTilesNeedManyComputations) {
  TestServer server;
  for (int x = 0; x < 4; ++x) {
    EXPECT_TRUE(PendingTile(server, TileRequestOf(0, x, 0)).Await().ok());
  }
  EXPECT_EQ(server.tiles().stats().tiles_encoded, 4U);
  EXPECT_EQ(server.tiles().field_stats().blocks_computed, 4U);
}

TEST(WaitingTest, CancelledWorkIsNotComputed) {
  TestServer server;
  server.device().Close();
  PendingTile running(server, TileRequestOf(0, 0, 0));
  server.device().AwaitRunAtGate();
  PendingTile dropped(server, TileRequestOf(0, 9, 9));
  AwaitTrue([&] { return server.tiles().stats().flights == 2; });
  dropped.Cancel();
  EXPECT_EQ(dropped.Await().error_code(), grpc::StatusCode::CANCELLED);
  AwaitTrue([&] { return server.tiles().stats().flights == 1; });
  server.device().Open();
  EXPECT_TRUE(running.Await().ok());
  AwaitTrue([&] { return server.tiles().field_stats().blocks_dropped == 1; });
  EXPECT_EQ(server.device().TimesComputed({0, 0, 9, 9}), 0);
}

TEST(WaitingTest, OneOfTwoCallersMayCancel) {
  TestServer server;
  server.device().Close();
  PendingTile running(server, TileRequestOf(0, 0, 0));
  server.device().AwaitRunAtGate();
  PendingTile leaving(server, TileRequestOf(0, 9, 9));
  PendingTile staying(server, TileRequestOf(0, 9, 9));
  AwaitTrue([&] { return server.tiles().stats().joined == 1; });
  leaving.Cancel();
  EXPECT_EQ(leaving.Await().error_code(), grpc::StatusCode::CANCELLED);
  server.device().Open();
  EXPECT_TRUE(staying.Await().ok());
  EXPECT_EQ(server.device().TimesComputed({0, 0, 9, 9}), 1);
}

TEST(WaitingTest, WorkPastItsDeadlineIsNotComputed) {
  TestServer server;
  server.device().Close();
  PendingTile running(server, TileRequestOf(0, 0, 0));
  server.device().AwaitRunAtGate();
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + std::chrono::milliseconds(100));
  v1::GetTileResponse response;
  EXPECT_EQ(server.stub().GetTile(&context, TileRequestOf(0, 9, 9), &response).error_code(),
            grpc::StatusCode::DEADLINE_EXCEEDED);
  AwaitTrue([&] { return server.tiles().stats().flights <= 1; });
  server.device().Open();
  EXPECT_TRUE(running.Await().ok());
  EXPECT_EQ(server.device().TimesComputed({0, 0, 9, 9}), 0);
}

}  // namespace
}  // namespace thalweg::service
