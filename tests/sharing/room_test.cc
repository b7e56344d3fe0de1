#include "server/sharing/room.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <random>
#include <utility>
#include <vector>

namespace thalweg::sharing {
namespace {

constexpr std::size_t kBytes = 1'000;

TEST(RoomTest, OneClientGetsHalfAndLeavesRoomForAnother) {
  const Room room(kBytes);
  Room::Share share(room, 1);
  EXPECT_TRUE(share.Hold(kBytes / 2));
  EXPECT_FALSE(share.Hold(kBytes / 2 + 1));
  EXPECT_EQ(share.held(), kBytes / 2);
  Room::Share second(room, 1);
  EXPECT_FALSE(second.Hold(1));
  Room::Share other(room, 2);
  EXPECT_TRUE(other.Hold(kBytes / 4));
  EXPECT_EQ(room.held(), kBytes * 3 / 4);
}

TEST(RoomTest, PartOfTheRoomIsReservedForImportantBytes) {
  const Room room(kBytes);
  Room::Share ahead(room, 1);
  EXPECT_FALSE(ahead.HoldWithin(kBytes / 2, kBytes / 4 + 1));
  EXPECT_TRUE(ahead.HoldWithin(kBytes / 2, kBytes / 4));
  EXPECT_FALSE(room.HasRoom(1, kBytes / 2, 1));
  Room::Share first(room, 1);
  EXPECT_TRUE(first.Hold(kBytes / 4));
}

TEST(RoomTest, AShareReturnsWhatItHolds) {
  int freed = 0;
  const Room room(kBytes, [&freed](std::size_t) { ++freed; });
  {
    Room::Share share(room, 1);
    EXPECT_TRUE(share.Hold(300));
    EXPECT_TRUE(share.Hold(400));
    EXPECT_EQ(freed, 0);
    EXPECT_TRUE(share.Hold(100));
    EXPECT_EQ(freed, 1);
    Room::Share moved = std::move(share);
    EXPECT_EQ(room.held(), 100U);
    share = Room::Share(room, 2);
    EXPECT_TRUE(share.Hold(50));
    moved = std::move(share);
    EXPECT_EQ(room.held(), 50U);
    EXPECT_EQ(freed, 2);
  }
  EXPECT_EQ(room.held(), 0U);
  EXPECT_EQ(freed, 3);
}

TEST(RoomTest, BytesHeldWithoutAskingCount) {
  const Room room(kBytes);
  Room::Share share(room, 1);
  share.HoldAnyway(2 * kBytes);
  EXPECT_EQ(room.held(), 2 * kBytes);
  EXPECT_FALSE(Room::Share(room, 2).Hold(1));
  share.HoldAnyway(kBytes / 2);
  EXPECT_TRUE(Room::Share(room, 2).Hold(1));
}

TEST(RoomTest, AShareOfNoRoomHoldsNothing) {
  Room::Share share;
  EXPECT_FALSE(share.Hold(1));
  EXPECT_TRUE(share.Hold(0));
  share.HoldAnyway(1);
  EXPECT_EQ(share.held(), 0U);
}

TEST(RoomTest, AShareMayOutliveItsRoom) {
  const auto freed = std::make_shared<int>(0);
  auto room = std::make_unique<Room>(kBytes, [freed](std::size_t) { ++*freed; });
  Room::Share share(*room, 1);
  EXPECT_TRUE(share.Hold(10));
  room.reset();
  EXPECT_TRUE(share.Hold(20));
  EXPECT_TRUE(share.Hold(0));
  EXPECT_EQ(*freed, 1);
}

// The callback may use the room, so no lock is held.
TEST(RoomTest, TheCallbackForFreeBytesMayTakeThem) {
  std::unique_ptr<Room> room;
  Room::Share taken;
  room = std::make_unique<Room>(kBytes, [&](std::size_t held) {
    EXPECT_EQ(held, 0U);
    if (taken.held() == 0) taken = Room::Share(*room, 2);
    EXPECT_TRUE(taken.Hold(100));
  });
  Room::Share share(*room, 1);
  EXPECT_TRUE(share.Hold(100));
  EXPECT_TRUE(share.Hold(0));
  EXPECT_EQ(room->held(), 100U);
}

TEST(RoomTest, TheRoomIsTheSumOfItsShares) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    std::mt19937_64 random(seed);
    const Room room(kBytes);
    std::vector<Room::Share> shares;
    for (int step = 0; step < 500; ++step) {
      const std::uint64_t what = random() % 5;
      if (shares.empty() || what == 0) {
        shares.emplace_back(room, random() % 4);
      } else if (what == 1) {
        shares.erase(shares.begin() + static_cast<std::ptrdiff_t>(random() % shares.size()));
      } else {
        Room::Share& share = shares[random() % shares.size()];
        const std::size_t before = share.held();
        const std::size_t bytes = random() % 400;
        const bool had_room = bytes <= before || what == 2 || share.Hold(bytes);
        if (bytes <= before || what == 2) share.HoldAnyway(bytes);
        ASSERT_EQ(share.held(), had_room ? bytes : before) << "seed " << seed;
      }
      std::size_t sum = 0;
      for (const Room::Share& share : shares) sum += share.held();
      ASSERT_EQ(room.held(), sum) << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace thalweg::sharing
