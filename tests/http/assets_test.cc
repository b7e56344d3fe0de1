#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>

#include "server/http/content_coding.h"
#include "server/http/pages.h"
#include "tests/http/decode.h"

namespace thalweg::http {
namespace {

TEST(AssetsTest, AreTheSameInEveryCoding) {
  ASSERT_FALSE(AllAssets().empty());
  for (const Asset& asset : AllAssets()) {
    for (const Coding coding : {Coding::kIdentity, Coding::kGzip, Coding::kZstd}) {
      const Asset::Coded& coded = asset.coded[static_cast<std::size_t>(coding)];
      if (coded.bytes.empty()) continue;
      EXPECT_EQ(Decode(coded.bytes, coding, asset.bytes().size()), asset.bytes()) << asset.name;
      EXPECT_EQ(coded.etag, EtagOf(coded.bytes)) << asset.name;
      EXPECT_LE(coded.bytes.size(), asset.bytes().size()) << asset.name;
    }
  }
}

// A file of the build, with both codings.
TEST(AssetsTest, TextsAreCompressedAtBuildTime) {
  const Asset* const style = FindAsset("style.css");
  ASSERT_NE(style, nullptr);
  EXPECT_EQ(style->bytes().substr(0, 6), "body {");
  std::set<std::string_view> etags;
  for (const Asset::Coded& coded : style->coded) {
    EXPECT_FALSE(coded.bytes.empty());
    etags.insert(coded.etag);
  }
  EXPECT_EQ(etags.size(), style->coded.size());
  EXPECT_EQ(FindAsset("nothing.js"), nullptr);
}

}  // namespace
}  // namespace thalweg::http
