// A server below a path: as it is configured, and as a proxy says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "proto/base/message_text.h"
#include "tests/field/test_world.h"
#include "tests/service/http_client.h"
#include "tests/service/web_server.h"
#include "thalweg/v1/http.pb.h"

namespace thalweg::service {
namespace {

using ::testing::HasSubstr;

constexpr char kForwarded[] = "X-Forwarded-Proto: https\r\nX-Forwarded-Prefix: /maps/\r\n";

http::HttpOptions Below(const std::string& url) {
  http::HttpOptions http;
  http.public_url = url;
  return http;
}

std::string UrlOfWorld(HttpClient& client, const std::string& headers = "") {
  v1::WorldDocument document;
  const HttpAnswer answer = client.Get("/v1/worlds/test-1", headers);
  EXPECT_TRUE(text::FromJson(answer.body, document).ok()) << answer.body;
  return document.world().url();
}

TEST(HttpPrefixTest, UrlsHaveTheConfiguredPath) {
  WebServer server({}, Below("https://outside.test/maps/terrain"));
  HttpClient client(server.port());
  const std::string world = "/maps/terrain/v1/worlds/" + field::TestWorld()->hex_id();
  EXPECT_EQ(UrlOfWorld(client), "https://outside.test" + world);
  v1::WorldList list;
  ASSERT_TRUE(text::FromJson(client.Get("/v1/worlds").body, list).ok());
  EXPECT_EQ(list.worlds(0).url(), world);
  EXPECT_THAT(client.Get("/v1/worlds/test-1/tilejson.json").body,
              HasSubstr("\"https://outside.test" + world + "/xyz/{z}/{x}/{y}.terrarium.png"));
}

TEST(HttpPrefixTest, ProxiesMayForwardThePrefix) {
  WebServer server({}, Below("https://outside.test/maps/terrain"));
  HttpClient client(server.port());
  for (const char* path : {"/v1/worlds/test-1", "/", "/v1/worlds?page_size=1", "/healthz"}) {
    const HttpAnswer passed_on = client.Get(std::string("/maps/terrain") + path);
    EXPECT_EQ(passed_on.status, 200) << path;
    EXPECT_EQ(passed_on.body, client.Get(path).body) << path;
  }
  const HttpAnswer folder = client.Get("/maps/terrain?world=a");
  EXPECT_EQ(folder.status, 307);
  EXPECT_EQ(folder.Header("location"), "./terrain/?world=a");
  for (const char* path : {"/maps", "/maps/", "/maps/terrains/", "/terrain/", "/maps/terrain/x"}) {
    EXPECT_EQ(client.Get(path).status, 404) << path;
  }
}

// A path that is also the server's own is the server's own.
TEST(HttpPrefixTest, ThePrefixMayLookLikeAPathOfTheServer) {
  WebServer server({}, Below("https://outside.test/v1"));
  HttpClient client(server.port());
  EXPECT_EQ(client.Get("/v1/worlds").body, client.Get("/v1/v1/worlds").body);
}

TEST(HttpPrefixTest, TrustedProxiesMayNameThePrefix) {
  TestServerOptions options;
  options.access = access::AccessControl::OfEveryone(
      access::ScopeSet::All(),
      {.limits = {}, .proxies = access::TrustedProxies::Parse("127.0.0.0/8").value()});
  WebServer server(std::move(options));
  HttpClient client(server.port());
  const std::string world = "/v1/worlds/" + field::TestWorld()->hex_id();
  EXPECT_EQ(UrlOfWorld(client, kForwarded), "https://terrain.test/maps" + world);
  EXPECT_EQ(UrlOfWorld(client), "http://terrain.test" + world);
  EXPECT_EQ(UrlOfWorld(client, "X-Forwarded-Proto: https, http\r\n"),
            "https://terrain.test" + world);
  v1::WorldList list;
  ASSERT_TRUE(text::FromJson(client.Get("/v1/worlds", kForwarded).body, list).ok());
  EXPECT_EQ(list.worlds(0).url(), "/maps" + world);
  for (const char* wrong : {"X-Forwarded-Prefix: maps\r\n", "X-Forwarded-Prefix: /a//b\r\n",
                            "X-Forwarded-Prefix: /a?b\r\n", "X-Forwarded-Prefix: //evil.test\r\n",
                            "X-Forwarded-Prefix: /../a\r\n", "X-Forwarded-Proto: javascript\r\n"}) {
    EXPECT_EQ(client.Get("/v1/worlds/test-1", wrong).status, 400) << wrong;
  }
}

TEST(HttpPrefixTest, OtherCallersMayNotNameAPrefix) {
  WebServer server;
  HttpClient client(server.port());
  const HttpAnswer answer = client.Get("/v1/worlds/test-1", kForwarded);
  EXPECT_EQ(answer.status, 400);
  EXPECT_THAT(answer.body, HasSubstr("X-Forwarded-Prefix '/maps/' is given, but "
                                     "--trusted-proxies does not name 127.0.0.1, which sent it"));
  EXPECT_THAT(UrlOfWorld(client, "X-Forwarded-Proto: https\r\n"), HasSubstr("http://terrain.test"));
}

}  // namespace
}  // namespace thalweg::service
