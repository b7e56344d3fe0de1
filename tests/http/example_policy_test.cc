#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "server/http/pages.h"

namespace thalweg::http {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr char kPage[] =
    "<link rel=\"stylesheet\" href=\"https://cdn/a@1/dist/a.css\" integrity=\"x\">"
    "<style>p {}</style>"
    "<script src=\"https://cdn/a@1/dist/a.js\" integrity=\"x\"></script>"
    "<script type=\"module\">go()</script>";

// printf %s "go()" | openssl dgst -sha256 -binary | base64
constexpr char kScriptHash[] = "'sha256-5KYv+PUboo5h+0+YAtGRPbwv5d/QxzHslP4YGnUaxRw='";
constexpr char kStyleHash[] = "'sha256-SNJDlN1Iy2mnt7DOjQIyDb2LQE6O5PQiSZomcdzawQ4='";

TEST(ExamplePolicyTest, NamesTheOriginsThatThePageNames) {
  const std::string headers = ExampleHeaders("/deckgl/index.html", kPage);
  EXPECT_THAT(headers, HasSubstr("default-src 'none';"));
  EXPECT_THAT(headers,
              HasSubstr("script-src https://cdn/a@1/dist/a.js " + std::string(kScriptHash) + ";"));
  EXPECT_THAT(headers,
              HasSubstr("style-src https://cdn/a@1/dist/a.css " + std::string(kStyleHash) + ";"));
  EXPECT_THAT(headers, HasSubstr("connect-src 'self';"));
  EXPECT_THAT(headers, HasSubstr("worker-src 'none';"));
  EXPECT_THAT(headers, HasSubstr("frame-ancestors 'none'\r\n"));
  EXPECT_THAT(headers, Not(HasSubstr("unsafe")));
}

TEST(ExamplePolicyTest, ModulesAreScripts) {
  const std::string headers = ExampleHeaders(
      "/maplibre/index.html",
      "<link rel=\"modulepreload\" href=\"https://cdn/a@1/dist/a.mjs\" integrity=\"x\">");
  EXPECT_THAT(headers, HasSubstr("script-src https://cdn/a@1/dist/a.mjs;"));
  EXPECT_THAT(headers, HasSubstr("worker-src blob: https://cdn/a@1/dist/;"));
}

TEST(ExamplePolicyTest, LibrariesMayDoAllThatTheyNeed) {
  const std::string map = ExampleHeaders("/maplibre/index.html", kPage);
  EXPECT_THAT(map, HasSubstr("worker-src blob: https://cdn/a@1/dist/;"));
  EXPECT_THAT(map, Not(HasSubstr("unsafe")));
  const std::string globe = ExampleHeaders("/cesium/index.html", kPage);
  EXPECT_THAT(globe, HasSubstr("script-src https://cdn/a@1/dist/ 'unsafe-eval' 'sha256-"));
  EXPECT_THAT(globe, HasSubstr("connect-src 'self' https://cdn/a@1/dist/;"));
  EXPECT_THAT(globe, HasSubstr("worker-src blob: https://cdn/a@1/dist/;"));
}

// A file that is loaded from another host has an exact version and a digest.
TEST(ExamplePolicyTest, PagesPinTheLibrariesThatTheyLoad) {
  ASSERT_EQ(AllExamples().size(), 5U);
  for (const Asset& page : AllExamples()) {
    const std::string html(page.bytes());
    for (std::size_t at = html.find("=\"https:"); at != std::string::npos;
         at = html.find("=\"https:", at + 1)) {
      const std::string element = html.substr(at, html.find('>', at) - at);
      EXPECT_THAT(element, testing::ContainsRegex(
                               "https://cdn.jsdelivr.net/npm/(@[^/@]+/)?[^/@]+@[0-9.]+/"));
      EXPECT_THAT(element, HasSubstr("integrity=\"sha384-"));
      EXPECT_THAT(element, HasSubstr("crossorigin=\"anonymous\""));
    }
    EXPECT_THAT(ExampleHeaders(page.name, html), HasSubstr("script-src "));
  }
}

}  // namespace
}  // namespace thalweg::http
