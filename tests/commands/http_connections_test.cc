#include <gtest/gtest.h>

#include "server/commands/server.h"

namespace thalweg::commands {
namespace {

constexpr std::size_t kWanted = 10'000;

TEST(HttpConnectionsTest, AreAsManyAsConfiguredWhereThereIsRoom) {
  EXPECT_EQ(HttpConnectionsWithin(0, 300, kWanted), kWanted);
  EXPECT_EQ(HttpConnectionsWithin(1 << 20, 300, kWanted), kWanted);
}

TEST(HttpConnectionsTest, LeaveFilesForTheOthers) {
  EXPECT_EQ(HttpConnectionsWithin(4'096, 0, kWanted), 4'096 - 256 - kMetricsConnections);
  EXPECT_EQ(HttpConnectionsWithin(4'096, 272, kWanted), 4'096 - 256 - kMetricsConnections - 272);
}

TEST(HttpConnectionsTest, AreAQuarterOfAVeryLowLimit) {
  EXPECT_EQ(HttpConnectionsWithin(120, 0, kWanted), 30U);
  EXPECT_EQ(HttpConnectionsWithin(120, 0, 7), 7U);
  EXPECT_EQ(HttpConnectionsWithin(3, 0, kWanted), 1U);
}

}  // namespace
}  // namespace thalweg::commands
