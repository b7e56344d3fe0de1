#include "server/field/fair_rounds.h"

#include <gtest/gtest.h>

namespace thalweg::field {
namespace {

TEST(FairRoundsTest, AClientFillsOneRoundAfterTheOther) {
  FairRounds rounds;
  for (int n = 0; n < 5 * kRequestsARound; ++n) {
    EXPECT_EQ(rounds.RoundOf(7), static_cast<std::uint64_t>(n / kRequestsARound));
  }
}

TEST(FairRoundsTest, WhoComesLateBeginsWithTheRoundThatIsServed) {
  FairRounds rounds;
  for (int n = 0; n < 100 * kRequestsARound; ++n) rounds.RoundOf(1);
  rounds.Serve(40);
  EXPECT_EQ(rounds.RoundOf(2), 40u);
  // Serving an earlier round late changes nothing.
  rounds.Serve(12);
  EXPECT_EQ(rounds.RoundOf(3), 40u);
}

TEST(FairRoundsTest, ClientsWithoutRequestsAreForgotten) {
  FairRounds rounds;
  // No client is ever served, so no round ends.
  for (std::uint64_t client = 0; client < 10'000; ++client) {
    for (int n = 0; n < 3 * kRequestsARound; ++n) rounds.RoundOf(client);
    EXPECT_EQ(rounds.clients(), 1u);
    for (int n = 0; n < 3 * kRequestsARound; ++n) rounds.Leave(client);
  }
  EXPECT_EQ(rounds.clients(), 0u);
  EXPECT_EQ(rounds.RoundOf(1), 0u);
}

}  // namespace
}  // namespace thalweg::field
