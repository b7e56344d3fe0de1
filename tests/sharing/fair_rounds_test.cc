#include <gtest/gtest.h>

#include "server/sharing/fair_queue.h"

namespace thalweg::sharing {
namespace {

TEST(FairRoundsTest, AClientsRequestsComeOneAfterTheOther) {
  FairRounds rounds;
  EXPECT_EQ(rounds.StartOf(7, 5'000'000), 0);
  EXPECT_EQ(rounds.StartOf(7, 200'000), 5'000'000);
  EXPECT_EQ(rounds.StartOf(7, 300'000), 5'200'000);
  EXPECT_EQ(rounds.StartOf(7, 0), 5'500'000);
  // Joining the work of others counts a little too.
  EXPECT_EQ(rounds.StartOf(7, 0), 5'500'000 + kLeastCells);
}

TEST(FairRoundsTest, WhoComesLateBeginsWithWhatIsServed) {
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
