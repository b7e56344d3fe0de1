#include <gtest/gtest.h>

#include <numeric>
#include <set>
#include <string>

#include "absl/strings/escaping.h"
#include "server/cache/tile_record.h"

namespace thalweg::cache {
namespace {

std::string Hex(const Mac& mac) {
  return absl::BytesToHexString({reinterpret_cast<const char*>(mac.data()), mac.size()});
}

MacKey Counting() {
  MacKey key;
  std::iota(key.begin(), key.end(), static_cast<unsigned char>(0));
  return key;
}

// Expected: Python's hashlib.blake2b(bytes, key=bytes(range(32)), digest_size=32).
TEST(MacTest, IsKeyedBlake2b) {
  EXPECT_EQ(Hex(MacOf(Counting(), "", "")),
            "4e51e7a913fc80137da52880fecca175bf81e117d5c68126dc2774033517ea0d");
  EXPECT_EQ(Hex(MacOf(Counting(), "head", "body")),
            "dbdd8ac6b69307f104ab5712cde37c67c21ccfbbeb52088ae9e9a4fbb2e830b2");
  EXPECT_EQ(MacOf(Counting(), "he", "adbody"), MacOf(Counting(), "head", "body"));
}

TEST(MacTest, EveryKeyIsAnother) {
  std::set<MacKey> keys;
  for (int n = 0; n < 1'000; ++n) keys.insert(RandomMacKey());
  EXPECT_EQ(keys.size(), 1'000U);
}

TEST(MacTest, SameIsEveryBit) {
  const Mac mac = MacOf(Counting(), "head", "body");
  EXPECT_TRUE(SameMac(mac, mac));
  for (std::size_t bit = 0; bit < 8 * kMacBytes; ++bit) {
    Mac other = mac;
    other[bit / 8] ^= static_cast<unsigned char>(1U << bit % 8);
    EXPECT_FALSE(SameMac(mac, other)) << bit;
  }
}

}  // namespace
}  // namespace thalweg::cache
