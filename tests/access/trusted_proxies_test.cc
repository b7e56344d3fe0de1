#include "server/access/trusted_proxies.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_join.h"

namespace thalweg::access {
namespace {

using ::testing::HasSubstr;

std::string OriginOf(const std::string& proxies, std::string_view peer,
                     const std::vector<std::string_view>& forwarded) {
  const auto parsed = TrustedProxies::Parse(proxies);
  EXPECT_TRUE(parsed.ok()) << parsed.status();
  return parsed->OriginOf(peer, forwarded);
}

TEST(IpOfTest, ReadsEveryFormOfAnAddress) {
  EXPECT_EQ(IpOf("192.0.2.7"), "192.0.2.7");
  EXPECT_EQ(IpOf("192.0.2.7:4711"), "192.0.2.7");
  EXPECT_EQ(IpOf("ipv4:192.0.2.7:4711"), "192.0.2.7");
  EXPECT_EQ(IpOf("2001:db8::1"), "2001:db8::1");
  EXPECT_EQ(IpOf("[2001:db8::1]"), "2001:db8::1");
  EXPECT_EQ(IpOf("[2001:db8::1]:4711"), "2001:db8::1");
  EXPECT_EQ(IpOf("ipv6:[::1]:4711"), "::1");
  EXPECT_EQ(IpOf("ipv6:%5B::ffff:192.0.2.7%5D:4711"), "::ffff:192.0.2.7");
  EXPECT_EQ(IpOf("fe80::1%eth0"), "fe80::1");
}

TEST(IpOfTest, LeavesOtherTextAsItIs) {
  for (const char* text : {"", ":", "[", "[]", "[::1", "unix:/run/x", "localhost:80", "1.2.3.4.5",
                           "unknown", "ipv4:", "%5B%5D"}) {
    EXPECT_EQ(IpOf(text), text);
  }
}

TEST(TrustedProxiesTest, TrustsNobodyByDefault) {
  EXPECT_EQ(OriginOf("", "ipv4:192.0.2.7:1", {"198.51.100.1"}), "192.0.2.7");
  EXPECT_EQ(OriginOf("10.0.0.0/8", "ipv4:192.0.2.7:1", {"198.51.100.1"}), "192.0.2.7");
}

TEST(TrustedProxiesTest, TheLastAddressThatIsNotAProxyIsTheOrigin) {
  const std::string proxies = "10.0.0.0/8, 192.0.2.7,fd00::/8";
  EXPECT_EQ(OriginOf(proxies, "10.1.2.3:80", {"198.51.100.1"}), "198.51.100.1");
  EXPECT_EQ(OriginOf(proxies, "10.1.2.3:80", {"203.0.113.9, 198.51.100.1"}), "198.51.100.1");
  EXPECT_EQ(OriginOf(proxies, "10.1.2.3:80", {"203.0.113.9 ,198.51.100.1,192.0.2.7 , fd12::1"}),
            "198.51.100.1");
  // Of several headers, the last one comes from the nearest proxy.
  EXPECT_EQ(OriginOf(proxies, "[fd00::5]:80", {"203.0.113.9", "198.51.100.1:4711,10.0.0.1"}),
            "198.51.100.1");
  EXPECT_EQ(OriginOf(proxies, "::ffff:10.0.0.1", {"[2001:db8::1]:4711"}), "2001:db8::1");
}

TEST(TrustedProxiesTest, AProxyThatNamesNoCallerIsTheOrigin) {
  const std::string proxies = "10.0.0.0/8";
  EXPECT_EQ(OriginOf(proxies, "10.0.0.1", {}), "10.0.0.1");
  EXPECT_EQ(OriginOf(proxies, "10.0.0.1", {""}), "10.0.0.1");
  EXPECT_EQ(OriginOf(proxies, "10.0.0.1", {"unknown"}), "10.0.0.1");
  EXPECT_EQ(OriginOf(proxies, "10.0.0.1", {"203.0.113.9, garbage, 10.0.0.2"}), "10.0.0.2");
  EXPECT_EQ(OriginOf(proxies, "10.0.0.1", {"10.0.0.3, 10.0.0.2"}), "10.0.0.3");
}

TEST(TrustedProxiesTest, NetworksMatchByPrefixLength) {
  const auto proxies = *TrustedProxies::Parse("10.1.2.3/15,2001:db8::/33,0.0.0.0/32");
  EXPECT_TRUE(proxies.Has("10.0.0.0"));
  EXPECT_TRUE(proxies.Has("10.1.255.255"));
  EXPECT_TRUE(proxies.Has("::ffff:10.1.0.1"));
  EXPECT_FALSE(proxies.Has("10.2.0.0"));
  EXPECT_TRUE(proxies.Has("2001:db8:7fff::1"));
  EXPECT_FALSE(proxies.Has("2001:db8:8000::1"));
  EXPECT_TRUE(proxies.Has("0.0.0.0"));
  EXPECT_FALSE(proxies.Has("0.0.0.1"));
  EXPECT_FALSE(proxies.Has("::"));
  EXPECT_FALSE(proxies.Has("localhost"));
  EXPECT_TRUE(TrustedProxies::Parse("0.0.0.0/0")->Has("203.0.113.9"));
  EXPECT_FALSE(TrustedProxies::Parse("0.0.0.0/0")->Has("2001:db8::1"));
}

// Everyone can forge the header at an address that is trusted by mistake.
TEST(TrustedProxiesTest, Ipv6NetworksContainNoIpv4Addresses) {
  for (const char* network : {"::/0", "::/1", "::/80", "::1/64"}) {
    const auto proxies = *TrustedProxies::Parse(network);
    EXPECT_TRUE(proxies.Has("::1")) << network;
    EXPECT_FALSE(proxies.Has("203.0.113.9")) << network;
    EXPECT_FALSE(proxies.Has("::ffff:203.0.113.9")) << network;
  }
  EXPECT_EQ(OriginOf("::/0", "ipv6:%5B::ffff:203.0.113.9%5D:80", {"127.0.0.1"}),
            "::ffff:203.0.113.9");
}

TEST(TrustedProxiesTest, MappedNetworksEqualIpv4Networks) {
  const auto proxies = *TrustedProxies::Parse("::ffff:10.0.0.0/104,::FFFF:c000:207");
  EXPECT_TRUE(proxies.Has("10.255.0.1"));
  EXPECT_TRUE(proxies.Has("::ffff:10.255.0.1"));
  EXPECT_TRUE(proxies.Has("192.0.2.7"));
  EXPECT_FALSE(proxies.Has("11.0.0.1"));
  EXPECT_FALSE(proxies.Has("::10.0.0.1"));
  // The 8 bits were meant for 10.0.0.0; of the mapped address they would be all of IPv4.
  const absl::Status wrong = TrustedProxies::Parse("::ffff:10.0.0.0/8").status();
  EXPECT_EQ(wrong.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(wrong.message()), HasSubstr("expected min 96 bits"));
}

TEST(TrustedProxiesTest, FindsLinkLocalAddressesWithAZone) {
  const auto proxies = *TrustedProxies::Parse("fe80::1");
  EXPECT_TRUE(proxies.Has("fe80::1%eth0"));
  EXPECT_FALSE(proxies.Has("fe80::2%eth0"));
  EXPECT_FALSE(proxies.Has("fe80::2%fe80::1"));
}

TEST(TrustedProxiesTest, NamesAnInvalidNetwork) {
  for (const char* wrong :
       {"x", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/-0", "10.0.0.0/ 8", "10.0.0.0/+8", "10.0.0.0/",
        "10.0.0.0/8/8", "::/129", "10.0.0.1,", ",", "10.0.0", "localhost", "10.0.0.1:80"}) {
    const auto parsed = TrustedProxies::Parse(wrong);
    EXPECT_EQ(parsed.status().code(), absl::StatusCode::kInvalidArgument) << wrong;
    EXPECT_THAT(
        std::string(parsed.status().message()),
        HasSubstr("invalid trusted_proxies: expected addresses or networks with commas between"));
  }
}

// Whatever headers callers send, the origin is the address that the outermost proxy saw.
TEST(TrustedProxiesTest, CallersCannotNameAnotherOrigin) {
  const auto proxies = *TrustedProxies::Parse("10.0.0.0/8");
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    std::mt19937_64 random(seed);
    constexpr const char* kClaims[] = {"203.0.113.1", "10.9.9.9", "",    "unknown",
                                       "::1",         ",",        "a\tb"};
    std::vector<std::string> entries;
    for (std::uint64_t k = random() % 5; k > 0; --k) entries.emplace_back(kClaims[random() % 7]);
    entries.emplace_back("198.51.100.1");
    for (std::uint64_t k = random() % 3; k > 0; --k) entries.emplace_back("10.0.0.2");
    const std::string forwarded = absl::StrJoin(entries, ", ");
    const std::vector<std::string_view> values{forwarded};
    EXPECT_EQ(proxies.OriginOf("10.0.0.1", values), "198.51.100.1") << "seed " << seed;
  }
}

TEST(AddressPrefixTest, KeepsIpv4Whole) {
  EXPECT_EQ(PrefixOf("192.0.2.7"), "192.0.2.7");
  EXPECT_NE(PrefixOf("192.0.2.7"), PrefixOf("192.0.2.8"));
  EXPECT_EQ(PrefixOf("127.0.0.1"), "127.0.0.1");
}

TEST(AddressPrefixTest, TreatsMappedAddressesAsIpv4) {
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
