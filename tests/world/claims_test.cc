#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "server/world/kept_worlds.h"

namespace thalweg::world {
namespace {

Owner Token(const std::string& name) { return {.token = name}; }
Owner Address(std::uint64_t client) { return {.client = client}; }

// Claims, the least recently used one first.
class Claims {
 public:
  Claims& Add(const std::optional<Owner>& owner, bool keep = false) {
    const std::uint64_t n = claims_.size();
    claims_.push_back(
        {.world = absl::StrCat("w", n), .claim = {.owner = owner, .keep = keep}, .last_use = n});
    return *this;
  }
  // The world whose claim must make room for a new one; "" if there is none.
  std::string EvictedFor(const Owner& newcomer) const {
    const ClaimedWorld* const evicted = ClaimToEvict(claims_, newcomer);
    return evicted == nullptr ? "" : evicted->world;
  }

 private:
  std::vector<ClaimedWorld> claims_;
};

TEST(ClaimsTest, TheOwnerOfTheMostLosesTheLeastRecentlyUsed) {
  Claims claims;
  claims.Add(Token("ann")).Add(Token("bob")).Add(Token("bob"));
  EXPECT_EQ(claims.EvictedFor(Token("carl")), "w1");
  EXPECT_EQ(claims.EvictedFor(Token("bob")), "w1");
  // With the new claim, ann has as many as bob.
  EXPECT_EQ(claims.EvictedFor(Token("ann")), "w0");
}

TEST(ClaimsTest, NoOwnerLosesAClaimToOneWithMore) {
  Claims claims;
  claims.Add(Token("ann")).Add(Token("bob"), true).Add(Token("bob"), true);
  EXPECT_EQ(claims.EvictedFor(Token("bob")), "");
  EXPECT_EQ(claims.EvictedFor(Token("carl")), "w0");
}

TEST(ClaimsTest, CallersWithoutATokenShareOneQuota) {
  Claims claims;
  claims.Add(Token("ann")).Add(Token("ann"));
  for (std::uint64_t client = 1; client <= 6; ++client) claims.Add(Address(client));
  // All addresses together count as one owner. Here it has more than ann.
  EXPECT_EQ(claims.EvictedFor(Address(99)), "w2");
  EXPECT_EQ(claims.EvictedFor(Token("bob")), "w2");
  // Among the addresses, the one with the most claims loses one.
  claims.Add(Address(6));
  EXPECT_EQ(claims.EvictedFor(Address(99)), "w7");
  EXPECT_EQ(claims.EvictedFor(Address(1)), "w2");
}

TEST(ClaimsTest, KeptAndUnclaimedWorldsStay) {
  Claims claims;
  claims.Add(std::nullopt, true).Add(Token("ann"), true).Add(Token("ann"));
  EXPECT_EQ(claims.EvictedFor(Token("ann")), "w2");
  EXPECT_EQ(Claims().Add(std::nullopt, true).EvictedFor(Token("ann")), "");
  EXPECT_EQ(Claims().EvictedFor(Token("ann")), "");
}

// In whatever order owners create, each ends with its share.
TEST(ClaimsTest, SharesAreFairInAnyOrder) {
  constexpr std::uint64_t kSeed = 20261122;
  constexpr std::size_t kSlots = 24;
  std::mt19937_64 random(kSeed);
  std::vector<ClaimedWorld> claims;
  std::uint64_t use = 0;
  for (int n = 0; n < 5'000; ++n) {
    // ann creates rarely and bob often. Addresses, which change all the time, create most.
    const std::uint64_t dice = random() % 100;
    const Owner owner = dice < 5 ? Token("ann") : dice < 30 ? Token("bob") : Address(random() % 50);
    if (claims.size() == kSlots) {
      const ClaimedWorld* const evicted = ClaimToEvict(claims, owner);
      ASSERT_NE(evicted, nullptr) << "seed " << kSeed << " round " << n;
      claims.erase(claims.begin() + (evicted - claims.data()));
    }
    claims.push_back({.world = "w", .claim = {.owner = owner}, .last_use = ++use});
  }
  std::map<std::string, std::size_t> shares;
  for (const ClaimedWorld& claimed : claims) ++shares[claimed.claim.owner->token];
  EXPECT_EQ(shares["ann"], kSlots / 3) << "seed " << kSeed;
  EXPECT_EQ(shares["bob"], kSlots / 3) << "seed " << kSeed;
  EXPECT_EQ(shares[""], kSlots / 3) << "seed " << kSeed;
}

}  // namespace
}  // namespace thalweg::world
