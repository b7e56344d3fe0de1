#include <gtest/gtest.h>

#include <thread>

#include "client/src/view/needed_tiles.h"

namespace thalweg {
namespace {

constexpr Turns::Time kPast{};
constexpr Turns::Time kNever = Turns::Time::max();

TEST(TurnsTest, TheFirstOneIsThereFromTheBeginning) {
  Turns turns;
  EXPECT_TRUE(turns.Await(kPast, kNever));
}

TEST(TurnsTest, OneFollowsEachWake) {
  Turns turns;
  EXPECT_TRUE(turns.Await(kPast, kNever));
  std::thread other([&turns] { turns.Wake(); });
  EXPECT_TRUE(turns.Await(kPast, kNever));
  other.join();
}

TEST(TurnsTest, OneComesAtTheLatest) {
  Turns turns;
  EXPECT_TRUE(turns.Await(kPast, kNever));
  EXPECT_TRUE(turns.Await(kPast, kPast));
}

TEST(TurnsTest, EndsHoweverLongItWouldWait) {
  Turns turns;
  std::thread other([&turns] { turns.End(); });
  EXPECT_FALSE(turns.Await(kNever, kNever));
  other.join();
}

}  // namespace
}  // namespace thalweg
