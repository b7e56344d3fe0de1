#include <gtest/gtest.h>

#include "server/access/trusted_proxies.h"

namespace thalweg::access {
namespace {

TEST(AddressPrefixTest, KeepsIpv4Whole) {
  EXPECT_EQ(PrefixOf("192.0.2.7"), "192.0.2.7");
  EXPECT_NE(PrefixOf("192.0.2.7"), PrefixOf("192.0.2.8"));
  EXPECT_EQ(PrefixOf("127.0.0.1"), "127.0.0.1");
}

TEST(AddressPrefixTest, TakesMappedAddressesForIpv4) {
  EXPECT_EQ(PrefixOf("::ffff:192.0.2.7"), "192.0.2.7");
  EXPECT_EQ(PrefixOf("::FFFF:c000:0207"), "192.0.2.7");
  EXPECT_NE(PrefixOf("::ffff:192.0.2.7"), PrefixOf("::ffff:192.0.2.8"));
}

TEST(AddressPrefixTest, CutsIpv6After64Bits) {
  EXPECT_EQ(PrefixOf("2001:db8:0:1:2:3:4:5"), "2001:db8:0:1::/64");
  EXPECT_EQ(PrefixOf("2001:DB8::1:ffff:ffff:ffff:ffff"), "2001:db8:0:1::/64");
  EXPECT_NE(PrefixOf("2001:db8:0:1::1"), PrefixOf("2001:db8:0:2::1"));
  EXPECT_EQ(PrefixOf("::1"), "::/64");
  EXPECT_EQ(PrefixOf("fe80::1%eth0"), "fe80::/64");
}

TEST(AddressPrefixTest, LeavesOtherTextAsItIs) {
  for (const char* text : {"", "localhost", "unix:/run/thalweg", "1.2.3", "1.2.3.4.5", "[::1]", "%",
                           "name%zone", "2001:db8::/64"}) {
    EXPECT_EQ(PrefixOf(text), text);
  }
}

}  // namespace
}  // namespace thalweg::access
