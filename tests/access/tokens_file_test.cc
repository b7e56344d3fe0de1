#include "server/access/tokens_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"

namespace thalweg::access {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const std::string kHash(64, 'a');

std::string ErrorOf(const std::string& text) {
  const auto file = ParseTokens(text);
  EXPECT_EQ(file.status().code(), absl::StatusCode::kInvalidArgument) << text;
  return std::string(file.status().message());
}

TEST(TokensFileTest, ReadsBackWhatItPrints) {
  Grant game;
  game.name = "game \"one\"";
  game.hash = HashOf("x");
  game.scopes = *ScopeSet::Parse("read,bake");
  game.cells_per_s = 1e6;
  game.max_calls = 0;
  game.max_streams = 500;
  Grant admin;
  admin.name = "admin";
  admin.hash = HashOf("y");
  admin.scopes = *ScopeSet::Parse("admin");
  admin.calls_per_s = 2.5;
  const auto file =
      ParseTokens(absl::StrCat("# ours\n", TokenLine(game), "\n", TokenLine(admin),
                               "\nanonymous { scopes: READ calls_per_s: 5 max_calls: 3 }\n"));
  ASSERT_TRUE(file.ok()) << file.status();
  ASSERT_EQ(file->grants.size(), 2U);
  EXPECT_EQ(file->grants[0], game);
  EXPECT_EQ(file->grants[1], admin);
  ASSERT_TRUE(file->anonymous.has_value());
  EXPECT_EQ(file->anonymous->name, "");
  EXPECT_TRUE(file->anonymous->scopes.Has(Scope::kRead));
  EXPECT_EQ(file->anonymous->max_calls, 3U);
  EXPECT_EQ(file->anonymous->max_streams, std::nullopt);
  EXPECT_EQ(TokenLine(game).find('\n'), std::string::npos);
}

TEST(TokensFileTest, AnEmptyFileAdmitsNobody) {
  const auto file = ParseTokens("");
  ASSERT_TRUE(file.ok());
  EXPECT_TRUE(file->grants.empty());
  EXPECT_FALSE(file->anonymous.has_value());
}

TEST(TokensFileTest, NamesTheLineOfAMistake) {
  const std::string good = absl::StrCat("token { name: \"a\" sha256: \"", kHash, "\" }\n");
  EXPECT_THAT(ErrorOf(good + "\nuser { }"), HasSubstr("line 3"));
  EXPECT_THAT(ErrorOf(good + "token { name: \"b\" }"),
              HasSubstr("line 2: the sha256 of token 'b' is not 64 hexadecimal digits"));
  EXPECT_THAT(ErrorOf(good + "token { sha256: \"" + kHash + "\" }"), HasSubstr("line 2"));
  EXPECT_THAT(ErrorOf(good + good),
              HasSubstr("line 2: token 'a' has the name or the hash of a token above"));
  EXPECT_THAT(ErrorOf(good + "token { name: \"b\" sha256: \"" + kHash + "\" }"),
              HasSubstr("line 2"));
  EXPECT_THAT(ErrorOf("anonymous {\n scopes: WRITE }"), HasSubstr("line 2"));
  EXPECT_THAT(ErrorOf("\n\nanonymous { calls_per_s: -1 }"), HasSubstr("line 3"));
  EXPECT_THAT(ErrorOf("anonymous { cells_per_s: nan }"), HasSubstr("line 1"));
}

// A user may paste a token instead of its hash by mistake.
TEST(TokensFileTest, ErrorsNeverRepeatATextThatMayBeAToken) {
  const std::string token = MakeToken();
  for (const std::string& text :
       {"token { name: \"a\" sha256: \"" + token + "\" }", token, token + ": 3",
        "token { sha256: " + token + " }", "anonymous { scopes: " + token + " }"}) {
    EXPECT_THAT(ErrorOf(text), Not(HasSubstr(token.substr(10, 10)))) << text;
  }
}

}  // namespace
}  // namespace thalweg::access
