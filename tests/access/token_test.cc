#include <gtest/gtest.h>

#include <set>

#include "absl/strings/escaping.h"
#include "server/access/caller.h"

namespace thalweg::access {
namespace {

TEST(TokenTest, IsRandomAndFitsAHeader) {
  std::set<std::string> tokens;
  for (int k = 0; k < 100; ++k) {
    const std::string token = MakeToken();
    EXPECT_EQ(token.size(), 8U + 43U);
    EXPECT_EQ(
        token.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"),
        std::string::npos);
    EXPECT_TRUE(tokens.insert(token).second);
  }
}

// The output of `printf %s abc | sha256sum`.
TEST(TokenTest, HashIsSha256) {
  EXPECT_EQ(absl::BytesToHexString(HashOf("abc")),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(TokenTest, ComparesEveryByte) {
  const TokenHash hash = HashOf("abc");
  EXPECT_TRUE(SameHash(hash, HashOf("abc")));
  EXPECT_FALSE(SameHash(hash, ""));
  for (std::size_t k = 0; k < hash.size(); ++k) {
    TokenHash other = hash;
    other[k] = static_cast<char>(other[k] ^ 1);
    EXPECT_FALSE(SameHash(hash, other)) << k;
  }
}

TEST(ScopeTest, ReadsNames) {
  const auto scopes = ScopeSet::Parse("read,create-worlds");
  ASSERT_TRUE(scopes.ok());
  EXPECT_TRUE(scopes->Has(Scope::kRead));
  EXPECT_TRUE(scopes->Has(Scope::kCreateWorlds));
  EXPECT_FALSE(scopes->Has(Scope::kBake));
  EXPECT_FALSE(scopes->Has(Scope::kAdmin));
  for (const char* wrong : {"", "read,", "READ", "read bake", "root"}) {
    EXPECT_EQ(ScopeSet::Parse(wrong).status().code(), absl::StatusCode::kInvalidArgument) << wrong;
  }
}

TEST(ScopeTest, AdministratorsMayDoEverything) {
  const auto scopes = ScopeSet::Parse("admin");
  EXPECT_TRUE(scopes->Has(Scope::kRead));
  EXPECT_TRUE(scopes->Has(Scope::kCreateWorlds));
  EXPECT_FALSE(scopes->Names(Scope::kRead));
}

}  // namespace
}  // namespace thalweg::access
