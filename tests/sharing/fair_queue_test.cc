#include "server/sharing/fair_queue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <vector>

namespace thalweg::sharing {
namespace {

using std::chrono::milliseconds;

// Takes the next work, does it, and charges it.
std::uint64_t Do(FairQueue& queue, milliseconds took) {
  FairQueue::Taken taken = queue.Take();
  std::move(taken.work)();
  queue.Finish(taken.client, taken.estimate, took);
  return taken.client;
}

TEST(FairQueueTest, WorkOfAClientIsDoneInOrder) {
  FairQueue queue;
  std::vector<int> order;
  for (int k = 0; k < 5; ++k) {
    queue.Add(1, [&order, k] { order.push_back(k); });
  }
  while (!queue.IsEmpty()) Do(queue, milliseconds(1));
  EXPECT_EQ(order, (std::vector{0, 1, 2, 3, 4}));
}

// Else it could keep all others waiting for as long as it was away.
TEST(FairQueueTest, IdleClientsDoNotSaveUpTime) {
  FairQueue queue;
  for (int k = 0; k < 100; ++k) queue.Add(1, [] {});
  for (int k = 0; k < 50; ++k) Do(queue, milliseconds(1));
  for (int k = 0; k < 50; ++k) queue.Add(2, [] {});
  std::array<int, 3> done{};
  for (int k = 0; k < 20; ++k) ++done[Do(queue, milliseconds(1))];
  EXPECT_NEAR(done[1], 10, 1);
  EXPECT_NEAR(done[2], 10, 1);
}

// A client that posts its next work only when the last is done gets its turn, and no more.
TEST(FairQueueTest, AClientThatReturnsGetsItsTurnAndNoMore) {
  FairQueue queue;
  for (int k = 0; k < 1'000; ++k) queue.Add(1, [] {});
  queue.Add(2, [] {});
  std::array<int, 3> done{};
  for (int k = 0; k < 100; ++k) {
    const std::uint64_t client = Do(queue, milliseconds(1));
    ++done[client];
    if (client == 2) queue.Add(2, [] {});
  }
  EXPECT_NEAR(done[1], 50, 1);
  EXPECT_NEAR(done[2], 50, 1);
}

// Two threads are free when a client with long work and one with short work come.
TEST(FairQueueTest, RunningWorkCounts) {
  FairQueue queue;
  queue.Add(1, [] {});
  Do(queue, milliseconds(10));
  for (int k = 0; k < 10; ++k) queue.Add(1, [] {});
  for (int k = 0; k < 10; ++k) queue.Add(2, [] {});
  const FairQueue::Taken first = queue.Take();
  const FairQueue::Taken second = queue.Take();
  EXPECT_NE(first.client, second.client);
}

TEST(FairQueueTest, ClientsWithoutWorkAreForgotten) {
  FairQueue queue;
  for (std::uint64_t client = 0; client < 1'000; ++client) {
    queue.Add(client, [] {});
    queue.Add(client, [] {});
  }
  while (!queue.IsEmpty()) Do(queue, milliseconds(3));
  EXPECT_EQ(queue.clients(), 0U);
  EXPECT_EQ(queue.size(), 0U);
}

struct FairFindings {
  // The max difference in time between two clients that had work all the while, over the longest
  // piece of work.
  double max_difference = 0;
  std::size_t lost = 0;
};

// Clients with work of different lengths, on several threads. `by_client` false: the twin, one line
// for all.
FairFindings TryAtRandom(std::uint64_t seed, bool by_client) {
  std::mt19937_64 random(seed);
  const std::size_t threads = 1 + random() % 4;
  const std::uint64_t clients = 2 + random() % 6;
  FairQueue queue;
  std::vector<milliseconds> length(clients);
  std::vector<std::size_t> left(clients, 400);
  std::vector<double> used(clients, 0);
  for (auto& one : length) one = milliseconds(1 + random() % 20);
  std::uint64_t ran = 0;
  for (std::uint64_t client = 0; client < clients; ++client) {
    for (int k = 0; k < 400; ++k)
      queue.Add(by_client ? client : 0, [&ran, client] { ran = client; });
  }
  struct Busy {
    milliseconds until;
    std::uint64_t client;
    FairQueue::Taken taken;
  };
  std::vector<Busy> busy;
  FairFindings findings;
  milliseconds now{0};
  const auto longest = static_cast<double>(std::max_element(length.begin(), length.end())->count());
  while (!queue.IsEmpty() || !busy.empty()) {
    while (busy.size() < threads && !queue.IsEmpty()) {
      FairQueue::Taken taken = queue.Take();
      std::move(taken.work)();
      busy.push_back({now + length[ran], ran, std::move(taken)});
      --left[ran];
    }
    const auto next = std::min_element(
        busy.begin(), busy.end(), [](const Busy& a, const Busy& b) { return a.until < b.until; });
    now = next->until;
    used[next->client] += static_cast<double>(length[next->client].count());
    queue.Finish(next->taken.client, next->taken.estimate, length[next->client]);
    busy.erase(next);
    if (std::find(left.begin(), left.end(), 0U) != left.end()) continue;
    const auto [least, most] = std::minmax_element(used.begin(), used.end());
    findings.max_difference = std::max(findings.max_difference, (*most - *least) / longest);
  }
  for (const std::size_t n : left) findings.lost += n;
  return findings;
}

TEST(FairQueueTest, ClientsWithWorkGetEqualTime) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const FairFindings findings = TryAtRandom(seed, true);
    // Each of up to four threads may be at work for one client.
    ASSERT_LE(findings.max_difference, 6) << "seed " << seed;
    ASSERT_EQ(findings.lost, 0U) << "seed " << seed;
  }
}

// The twin: in one line, those with long work get more.
TEST(FairQueueTest, InASingleLineTimesAreUnequal) {
  double max_difference = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    max_difference = std::max(max_difference, TryAtRandom(seed, false).max_difference);
  }
  EXPECT_GT(max_difference, 6);
}

TEST(FairRoundsTest, RequestsOfAClientAreInOrder) {
  FairRounds rounds;
  EXPECT_EQ(rounds.StartOf(7, 5'000'000), 0);
  EXPECT_EQ(rounds.StartOf(7, 200'000), 5'000'000);
  EXPECT_EQ(rounds.StartOf(7, 300'000), 5'200'000);
  EXPECT_EQ(rounds.StartOf(7, 0), 5'500'000);
  // Joining the work of others counts a little too.
  EXPECT_EQ(rounds.StartOf(7, 0), 5'500'000 + kLeastCells);
}

TEST(FairRoundsTest, ALateClientBeginsAtTheCurrentRound) {
  FairRounds rounds;
  for (int n = 0; n < 100; ++n) rounds.StartOf(1, kCellsARound);
  rounds.Serve(40 * kCellsARound);
  EXPECT_EQ(rounds.StartOf(2, 0), 40 * kCellsARound);
  // Serving an earlier one late changes nothing.
  rounds.Serve(12 * kCellsARound);
  EXPECT_EQ(rounds.StartOf(3, 0), 40 * kCellsARound);
}

TEST(FairRoundsTest, ClientsWithoutRequestsAreForgotten) {
  FairRounds rounds;
  // No client is ever served.
  for (std::uint64_t client = 0; client < 10'000; ++client) {
    for (int n = 0; n < 48; ++n) rounds.StartOf(client, 0);
    EXPECT_EQ(rounds.clients(), 1u);
    for (int n = 0; n < 48; ++n) rounds.Leave(client);
  }
  EXPECT_EQ(rounds.clients(), 0u);
  EXPECT_EQ(rounds.StartOf(1, 0), 0);
}

}  // namespace
}  // namespace thalweg::sharing
