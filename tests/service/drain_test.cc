// How a server stops.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <ctime>
#include <thread>

#include "tests/service/raw_call.h"
#include "tests/service/test_server.h"

namespace thalweg::service {
namespace {

// How far the system's clock is ahead of the kernel's waits, as if it were set back during each.
std::atomic<std::int64_t> clock_is_ahead_s{0};

}  // namespace
}  // namespace thalweg::service

// Stands before the C library's, also for the libraries.
extern "C" __attribute__((visibility("default"))) int clock_gettime(clockid_t clock,
                                                                    timespec* time) noexcept {
  const auto result = static_cast<int>(syscall(SYS_clock_gettime, clock, time));
  if (result == 0 && clock == CLOCK_REALTIME) time->tv_sec += thalweg::service::clock_is_ahead_s;
  return result;
}

namespace thalweg::service {
namespace {

using ::testing::HasSubstr;

TEST(DrainTest, RunningCallsFinishAndNewOnesAreRefused) {
  TestServer server;
  server.device().Close();
  PendingTile running(server, TileRequestOf(0, 0, 0));
  server.device().AwaitRunAtGate();
  bool all_finished = false;
  std::thread drain([&] { all_finished = server.rpc().Drain(std::chrono::hours(1)); });
  AwaitTrue([&] { return HealthOf(server.channel(), "") == 2; });
  EXPECT_EQ(HealthOf(server.channel(), "thalweg.v1.TerrainService"), 2);
  const grpc::Status refused = PendingTile(server, TileRequestOf(0, 1, 1)).Await();
  EXPECT_EQ(refused.error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_THAT(refused.error_message(), HasSubstr("stopping"));
  grpc::ClientContext context;
  const auto reader = server.stub().StreamTiles(&context, RectangleRequestOf(0, 0, 0, 2, 2));
  EXPECT_EQ(reader->Finish().error_code(), grpc::StatusCode::UNAVAILABLE);
  server.device().Open();
  EXPECT_TRUE(running.Await().ok());
  drain.join();
  EXPECT_TRUE(all_finished);
  EXPECT_EQ(PendingTile(server, TileRequestOf(0, 1, 1)).Await().error_code(),
            grpc::StatusCode::UNAVAILABLE);
}

TEST(DrainTest, TheDrainHasATimeout) {
  TestServer server;
  server.device().Close();
  PendingTile running(server, TileRequestOf(0, 0, 0));
  server.device().AwaitRunAtGate();
  grpc::ClientContext context;
  const auto reader = server.stub().StreamTiles(&context, RectangleRequestOf(0, 10, 10, 9, 9));
  AwaitTrue([&] { return server.tiles().stats().flights > 64; });
  EXPECT_FALSE(server.rpc().Drain(std::chrono::milliseconds(0)));
  EXPECT_FALSE(running.Await().ok());
  EXPECT_FALSE(reader->Finish().ok());
  EXPECT_EQ(server.tiles().stats().flights, 0U);
}

// With deadlines of the system's clock, this drain would take an hour.
TEST(DrainTest, TheTimeoutHoldsIfTheClockIsSetBack) {
  TestServer server;
  server.device().Close();
  PendingTile running(server, TileRequestOf(0, 0, 0));
  server.device().AwaitRunAtGate();
  clock_is_ahead_s = 3600;
  EXPECT_FALSE(server.rpc().Drain(std::chrono::milliseconds(0)));
  clock_is_ahead_s = 0;
  EXPECT_FALSE(running.Await().ok());
}

TEST(DrainTest, AnIdleServerStopsAtOnce) {
  TestServer server;
  EXPECT_EQ(HealthOf(server.channel(), ""), 1);
  EXPECT_TRUE(server.rpc().Drain(std::chrono::hours(1)));
}

}  // namespace
}  // namespace thalweg::service
