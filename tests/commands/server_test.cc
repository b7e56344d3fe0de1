#include "server/commands/server.h"

#include <gtest/gtest.h>

#include <utility>

namespace thalweg::commands {
namespace {

TEST(HttpConnectionsTest, AllowsTenThousandWithEnoughFiles) {
  EXPECT_EQ(HttpConnectionsWithin(0, 300), 10'000U);
  EXPECT_EQ(HttpConnectionsWithin(1 << 20, 300), 10'000U);
}

TEST(HttpConnectionsTest, LeavesFilesForMetricsAndRpc) {
  EXPECT_EQ(HttpConnectionsWithin(4'096, 0), 4'096 - 256 - kMetricsConnections);
  EXPECT_EQ(HttpConnectionsWithin(4'096, 272), 4'096 - 256 - kMetricsConnections - 272);
}

TEST(HttpConnectionsTest, AllowsAQuarterOfAVeryLowFileLimit) {
  EXPECT_EQ(HttpConnectionsWithin(120, 0), 30U);
  EXPECT_EQ(HttpConnectionsWithin(3, 0), 1U);
}

constexpr std::size_t kMiB = std::size_t{1} << 20;

TEST(SharesTest, PicturesGetAQuarterOfTheCacheWhereHttpIsServed) {
  ServerConfig config;
  EXPECT_EQ(SharesOf(config).tile_cache_bytes, 128 * kMiB);
  EXPECT_EQ(SharesOf(config).raster_cache_bytes, 0U);
  config.set_http("127.0.0.1:0");
  EXPECT_EQ(SharesOf(config).tile_cache_bytes, 96 * kMiB);
  EXPECT_EQ(SharesOf(config).raster_cache_bytes, 32 * kMiB);
  config.set_cache_mb(0);
  EXPECT_EQ(SharesOf(config).tile_cache_bytes, 0U);
}

TEST(SharesTest, RequestsSessionsAndAnswersGetAThirdEach) {
  ServerConfig config;
  EXPECT_EQ(SharesOf(config).request_bytes, 256 * kMiB);
  config.set_request_memory_mb(192);
  EXPECT_EQ(SharesOf(config).request_bytes, 64 * kMiB);
}

TEST(SharesTest, AQuarterOfTheCallsMayBeLongAndNoLimitStaysNone) {
  ServerConfig config;
  for (const auto& [calls, streams] :
       {std::pair{0U, 0U}, {1U, 1U}, {4U, 1U}, {5U, 2U}, {1024U, 256U}}) {
    config.set_max_calls_per_caller(calls);
    EXPECT_EQ(SharesOf(config).max_streams, streams) << calls;
  }
}

}  // namespace
}  // namespace thalweg::commands
