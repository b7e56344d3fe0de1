#include "server/http/content_coding.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/http/decode.h"

namespace thalweg::http {
namespace {

TEST(ContentCodingTest, IsWhatTheCallerCanRead) {
  EXPECT_EQ(CodingOf("gzip, deflate, br, zstd"), Coding::kZstd);
  EXPECT_EQ(CodingOf("gzip, deflate, br"), Coding::kGzip);
  EXPECT_EQ(CodingOf("GZIP;q=0.5"), Coding::kGzip);
  EXPECT_EQ(CodingOf("zstd;q=0, gzip"), Coding::kGzip);
  EXPECT_EQ(CodingOf("zstd; q=0.0 ,gzip ; q=0"), Coding::kIdentity);
  EXPECT_EQ(CodingOf(""), Coding::kIdentity);
  EXPECT_EQ(CodingOf("br, x-gzip, gzipp"), Coding::kIdentity);
}

TEST(ContentCodingTest, IsUndoneByTheLibraries) {
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

}  // namespace
}  // namespace thalweg::http
