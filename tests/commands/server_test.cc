#include "server/commands/server.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace thalweg::commands
