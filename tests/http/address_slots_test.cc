#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/http/connection.h"

namespace thalweg::http {
namespace {

using boost::asio::ip::make_address;

TEST(AddressSlotsTest, ConnectionsAreCountedByAddress) {
  AddressSlots slots(2);
  std::vector<AddressSlots::Slot> taken;
  for (const char* address : {"192.0.2.1", "::ffff:192.0.2.1", "192.0.2.2", "2001:db8::1",
                              "2001:db8::ffff:2", "2001:db8:0:1::1"}) {
    taken.push_back(slots.Take(make_address(address)));
    EXPECT_FALSE(taken.back().is_extra()) << address;
  }
  EXPECT_TRUE(slots.Take(make_address("192.0.2.1")).is_extra());
  EXPECT_TRUE(slots.Take(make_address("2001:db8::3")).is_extra());
  EXPECT_FALSE(slots.Take(make_address("192.0.2.2")).is_extra());
}

TEST(AddressSlotsTest, ClosedConnectionsAreNotCounted) {
  AddressSlots slots(1);
  const auto address = make_address("192.0.2.1");
  AddressSlots::Slot first = slots.Take(address);
  EXPECT_TRUE(slots.Take(address).is_extra());
  AddressSlots::Slot moved = std::move(first);
  EXPECT_TRUE(slots.Take(address).is_extra());
  moved = {};
  EXPECT_FALSE(slots.Take(address).is_extra());
}

TEST(AddressSlotsTest, LocalConnectionsAreNotCounted) {
  AddressSlots slots(1);
  std::vector<AddressSlots::Slot> taken;
  for (int k = 0; k < 10; ++k) {
    for (const char* address : {"127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1"}) {
      taken.push_back(slots.Take(make_address(address)));
      EXPECT_FALSE(taken.back().is_extra()) << address;
      EXPECT_EQ(taken.back().prefix(), "");
    }
  }
}

TEST(AddressSlotsTest, ConnectionsOfProxiesAreNotCounted) {
  AddressSlots slots(1, [](std::string_view ip) { return ip == "192.0.2.1"; });
  std::vector<AddressSlots::Slot> taken;
  for (int k = 0; k < 10; ++k) {
    taken.push_back(slots.Take(make_address("192.0.2.1")));
    EXPECT_FALSE(taken.back().is_extra());
  }
  taken.push_back(slots.Take(make_address("192.0.2.2")));
  EXPECT_TRUE(slots.Take(make_address("192.0.2.2")).is_extra());
}

TEST(AddressSlotsTest, TheLimitCanBeTurnedOff) {
  AddressSlots slots(0);
  std::vector<AddressSlots::Slot> taken;
  for (int k = 0; k < 1'000; ++k) {
    taken.push_back(slots.Take(make_address("192.0.2.1")));
    EXPECT_FALSE(taken.back().is_extra());
  }
}

}  // namespace
}  // namespace thalweg::http
