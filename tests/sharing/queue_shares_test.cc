#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

#include "server/sharing/room.h"

namespace thalweg::sharing {
namespace {

constexpr std::size_t kPlaces = 1'000;

// Adds as many requests as the client may have, and returns how many that were.
std::size_t Fill(QueueShares& shares, std::uint64_t client, std::size_t places = kPlaces) {
  std::size_t added = 0;
  for (; shares.HasRoom(client, places); ++added) shares.Add(client);
  return added;
}

TEST(QueueSharesTest, OneClientMayFillHalf) {
  QueueShares shares;
  EXPECT_EQ(Fill(shares, 1), kPlaces / 2);
  EXPECT_EQ(Fill(shares, 2), kPlaces / 4);
  EXPECT_EQ(shares.size(), kPlaces * 3 / 4);
}

TEST(QueueSharesTest, ClientsThatKeepAskingReachEqualShares) {
  QueueShares shares;
  Fill(shares, 1);
  Fill(shares, 2);
  for (int served = 0; served < 10'000; ++served) {
    const std::uint64_t client = shares.HeldBy(1) > shares.HeldBy(2) ? 1 : 2;
    shares.Remove(client);
    Fill(shares, 1);
    Fill(shares, 2);
  }
  EXPECT_NEAR(static_cast<double>(shares.HeldBy(1)), kPlaces / 3.0, 2);
  EXPECT_NEAR(static_cast<double>(shares.HeldBy(2)), kPlaces / 3.0, 2);
}

TEST(QueueSharesTest, ClientsWithoutRequestsAreForgotten) {
  QueueShares shares;
  for (std::uint64_t client = 0; client < 100; ++client) {
    shares.Add(client);
    shares.Remove(client);
  }
  EXPECT_EQ(shares.clients(), 0u);
  EXPECT_EQ(shares.size(), 0u);
}

TEST(QueueSharesTest, AShorterQueueCountsTheSameRequests) {
  QueueShares shares;
  Fill(shares, 1);
  EXPECT_FALSE(shares.HasRoom(1, kPlaces / 2));
  EXPECT_FALSE(shares.HasRoom(2, kPlaces / 2));
  EXPECT_TRUE(shares.HasRoom(2, kPlaces * 3 / 4));
}

TEST(QueueSharesTest, AddingManyEqualsAddingOneByOne) {
  std::mt19937_64 random(1);
  for (int n = 0; n < 10'000; ++n) {
    QueueShares shares;
    for (std::uint64_t client = 0; client < 3; ++client) shares.Add(client, 1 + random() % 100);
    const std::size_t places = random() % 600;
    const std::size_t count = 1 + random() % 100;
    QueueShares one_by_one = shares;
    EXPECT_EQ(shares.HasRoom(0, places, count), [&] {
      for (std::size_t k = 0; k < count; ++k) {
        if (!one_by_one.HasRoom(0, places)) return false;
        one_by_one.Add(0);
      }
      return true;
    }());
  }
}

// Whether a queue accepts one more request of a client.
using Rule = bool (*)(const QueueShares& shares, std::uint64_t client, std::size_t places);

bool ByShares(const QueueShares& shares, std::uint64_t client, std::size_t places) {
  return shares.HasRoom(client, places);
}

// One limit for all clients together. Each client may use it up.
bool ByOneBound(const QueueShares& shares, std::uint64_t, std::size_t places) {
  return shares.size() < places;
}

struct ShareFindings {
  // How often a client without a request was refused while a place was free.
  int newcomers_refused = 0;
  // How often less room was left than n clients must leave.
  int crowded = 0;
};

// Clients that add and remove requests at random, sometimes as many as they can.
ShareFindings TryAtRandom(Rule rule, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const std::size_t places = 1 + random() % 2'000;
  const std::uint64_t clients = 1 + random() % 12;
  QueueShares shares;
  ShareFindings findings;
  for (int step = 0; step < 3'000; ++step) {
    const std::uint64_t client = random() % clients;
    const bool leaves = random() % 3 == 0;
    for (std::uint64_t burst = random() % (places + 1); burst > 0; --burst) {
      if (leaves) {
        if (shares.HeldBy(client) == 0) break;
        shares.Remove(client);
      } else if (rule(shares, client, places)) {
        shares.Add(client);
      } else {
        if (shares.HeldBy(client) == 0 && shares.size() < places) ++findings.newcomers_refused;
        break;
      }
    }
    // free >= (places + 1) / 2^n - 1
    const std::size_t free = places - shares.size();
    if ((free + 1) << shares.clients() < places + 1) ++findings.crowded;
  }
  return findings;
}

TEST(QueueSharesTest, ThereIsAlwaysRoomForAnotherClient) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const ShareFindings findings = TryAtRandom(ByShares, seed);
    ASSERT_EQ(findings.newcomers_refused, 0) << "seed " << seed;
    ASSERT_EQ(findings.crowded, 0) << "seed " << seed;
  }
}

// The twin: with one limit for all, there is no room left.
TEST(QueueSharesTest, WithOneBoundForAllThereMayBeNoRoom) {
  int crowded = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed)
    crowded += TryAtRandom(ByOneBound, seed).crowded;
  EXPECT_GT(crowded, 0);
}

}  // namespace
}  // namespace thalweg::sharing
