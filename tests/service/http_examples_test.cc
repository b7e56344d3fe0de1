// The pages of client/examples. The server has them only if the operator turns them on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "server/http/pages.h"
#include "tests/service/http_client.h"
#include "tests/service/web_server.h"

namespace thalweg::service {
namespace {

using testing::HasSubstr;
using testing::Not;

http::HttpOptions WithExamples() {
  http::HttpOptions options;
  options.examples = true;
  return options;
}

TEST(HttpExamplesTest, AreNotServedByDefault) {
  WebServer server;
  HttpClient client(server.port());
  for (const char* path : {"/examples", "/examples/", "/examples/cesium", "/examples/cesium/",
                           "/examples/cesium/tiles.html", "/examples/nothing.js"}) {
    const HttpAnswer answer = client.Get(path);
    EXPECT_EQ(answer.status, 404) << path;
    EXPECT_EQ(answer.Header("content-type"), "application/problem+json");
    EXPECT_THAT(answer.body, HasSubstr("the server runs without --examples")) << path;
  }
}

TEST(HttpExamplesTest, AreServedFromTheirFolders) {
  WebServer server({}, WithExamples());
  HttpClient client(server.port());
  for (const char* folder :
       {"/examples", "/examples/cesium", "/examples/maplibre", "/examples/deckgl"}) {
    const std::string path = folder;
    const HttpAnswer page = client.Get(path + "/");
    EXPECT_EQ(page.status, 200) << path;
    EXPECT_EQ(page.Header("content-type"), "text/html; charset=utf-8");
    EXPECT_EQ(client.Get(path + "/index.html").body, page.body);
    EXPECT_EQ(client.Get(path + "/", "If-None-Match: " + page.Header("etag") + "\r\n").status, 304);
    const HttpAnswer head = client.Ask("HEAD", path + "/");
    EXPECT_EQ(head.status, 200);
    EXPECT_EQ(head.Header("content-length"), std::to_string(page.body.size()));
    EXPECT_EQ(head.Header("content-security-policy"), page.Header("content-security-policy"));
    const HttpAnswer moved = client.Get(path + "?world=a%20b");
    EXPECT_EQ(moved.status, 307);
    EXPECT_EQ(moved.Header("location"), "./" + path.substr(path.rfind('/') + 1) + "/?world=a%20b");
  }
  EXPECT_EQ(client.Get("/examples/cesium/tiles.html").status, 200);
  for (const char* path : {"/examples/nothing", "/examples/cesium/nothing.js",
                           "/examples/cesium/tiles.html/", "/examples//"}) {
    EXPECT_EQ(client.Get(path).status, 404) << path;
  }
  EXPECT_EQ(client.Ask("POST", "/examples/").status, 405);
  // A page is not an asset.
  EXPECT_EQ(client.Get("/assets/tiles.html").status, 404);
}

TEST(HttpExamplesTest, OtherPagesKeepTheirPolicy) {
  WebServer server({}, WithExamples());
  HttpClient client(server.port());
  EXPECT_THAT(client.Get("/examples/deckgl/").Header("content-security-policy"),
              HasSubstr("https://cdn.jsdelivr.net/npm/deck.gl@"));
  WebServer plain;
  HttpClient other(plain.port());
  for (const char* path : {"/", "/assets/style.css"}) {
    const std::string policy = client.Get(path).Header("content-security-policy");
    EXPECT_THAT(policy, HasSubstr("script-src 'self';")) << path;
    EXPECT_THAT(policy, Not(HasSubstr("https:"))) << path;
    EXPECT_EQ(policy, other.Get(path).Header("content-security-policy")) << path;
  }
}

}  // namespace
}  // namespace thalweg::service
