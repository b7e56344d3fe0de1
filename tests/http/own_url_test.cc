#include "server/http/own_url.h"

#include <gtest/gtest.h>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"

namespace thalweg::http {
namespace {

TEST(OwnUrlTest, AcceptsSchemeHostAndPath) {
  for (const auto& [text, url] : {
           std::pair("https://terrain.example.org", "https://terrain.example.org"),
           std::pair("https://terrain.example.org/", "https://terrain.example.org"),
           std::pair("HTTP://localhost:8080/maps/", "http://localhost:8080/maps"),
           std::pair("http://[::1]:80/a/b-c_d~e", "http://[::1]:80/a/b-c_d~e"),
           std::pair("http://[2001:db8::1]", "http://[2001:db8::1]"),
       }) {
    const auto read = ParseOwnUrl(text);
    ASSERT_TRUE(read.ok()) << text << read.status();
    EXPECT_EQ(*read, url);
  }
}

TEST(OwnUrlTest, OtherTextsAreRefused) {
  for (const char* text : {"",
                           "/",
                           "terrain.example.org",
                           "//terrain.example.org",
                           "ftp://x",
                           "https://",
                           "https:///a",
                           "https://x:0",
                           "https://x:65536",
                           "https://x:",
                           "https://x:a",
                           "https://u@x",
                           "https://x?a=b",
                           "https://x/#a",
                           "https://x/a//b",
                           "https://x//",
                           "https://x/../a",
                           "https://x/a b",
                           "https://x/\"a\"",
                           "https://[::1",
                           "https://::1]:80",
                           "https://x y",
                           "javascript://x",
                           "https://x:80\n",
                           "https://x:80 ",
                           "https://x:+80",
                           "https://x/%zz",
                           "https://x/%2e%2e"}) {
    const auto read = ParseOwnUrl(text);
    EXPECT_EQ(
        read.status().message(),
        std::string("invalid http_url: expected http or https, a host, and optionally a port and a "
                    "path, as in https://terrain.example.org/maps, got '") +
            absl::Utf8SafeCHexEscape(text) + "'")
        << text;
  }
}

TEST(OwnUrlTest, PathsOfTheServerMayNotBeUsed) {
  for (const char* url : {"https://x/assets", "https://x/examples/maps"}) {
    EXPECT_EQ(ParseOwnUrl(url).status().code(), absl::StatusCode::kInvalidArgument) << url;
  }
}

TEST(OwnUrlTest, SplitsIntoOriginHostAndPath) {
  constexpr std::string_view kUrl = "https://Terrain.test:8443/maps/of";
  EXPECT_EQ(OriginOf(kUrl), "https://Terrain.test:8443");
  EXPECT_EQ(HostOf(kUrl), "terrain.test");
  EXPECT_EQ(PathOf(kUrl), "/maps/of");
  EXPECT_EQ(PathOf("http://[::1]:80"), "");
  EXPECT_EQ(HostOf("http://[::1]:80"), "[::1]");
  EXPECT_EQ(PathOf(""), "");
}

}  // namespace
}  // namespace thalweg::http
