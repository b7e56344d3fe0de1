#include "server/http/content_coding.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "tests/http/decode.h"

namespace thalweg::http {
namespace {

TEST(ContentCodingTest, IsOneThatTheCallerAccepts) {
  EXPECT_EQ(CodingOf("gzip, deflate, br, zstd"), Coding::kZstd);
  EXPECT_EQ(CodingOf("gzip, deflate, br"), Coding::kGzip);
  EXPECT_EQ(CodingOf("GZIP;q=0.5"), Coding::kGzip);
  EXPECT_EQ(CodingOf("zstd;q=0, gzip"), Coding::kGzip);
  EXPECT_EQ(CodingOf("zstd; q=0.0 ,gzip ; q=0"), Coding::kIdentity);
  EXPECT_EQ(CodingOf(""), Coding::kIdentity);
  EXPECT_EQ(CodingOf("br, x-gzip, gzipp"), Coding::kIdentity);
}

TEST(ContentCodingTest, CanBeDecodedByTheLibraries) {
  std::string text;
  for (int k = 0; k < 5'000; ++k) text += std::to_string(k);
  for (const Coding coding : {Coding::kIdentity, Coding::kGzip, Coding::kZstd}) {
    for (const Effort effort : {Effort::kQuick, Effort::kBest}) {
      const std::string coded = Encode(text, coding, effort);
      EXPECT_EQ(Decode(coded, coding, text.size()), text);
      EXPECT_EQ(coded.size() < text.size(), coding != Coding::kIdentity);
    }
    EXPECT_LE(Encode(text, coding, Effort::kBest).size(),
              Encode(text, coding, Effort::kQuick).size());
  }
}

TEST(EtagTest, DiffersIfItsTextDiffers) {
  std::set<std::string> etags;
  for (int k = 0; k < 10'000; ++k) etags.insert(EtagOf("tile " + std::to_string(k)));
  EXPECT_EQ(etags.size(), 10'000U);
  EXPECT_EQ(EtagOf("tile 1"), EtagOf("tile 1"));
  EXPECT_EQ(EtagOf("").size(), 34U);
}

TEST(EtagTest, MatchesWithinLists) {
  const std::string etag = EtagOf("a");
  const std::string other = EtagOf("b");
  const std::vector<std::string> lists = {
      etag, "W/" + etag, other + ", " + etag, "\t" + etag + " ,x", "*", other + ",W/" + etag};
  for (const std::string& value : lists) {
    EXPECT_TRUE(Matches(value, etag)) << value;
  }
  for (const std::string& value :
       {std::string(), other, etag.substr(1), etag + "x", std::string(",,,"), "w/" + etag}) {
    EXPECT_FALSE(Matches(value, etag)) << value;
  }
}

}  // namespace
}  // namespace thalweg::http
