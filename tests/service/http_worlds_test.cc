// Worlds, documents and operations over HTTP.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zstd.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "proto/base/message_text.h"
#include "server/http/pages.h"
#include "tests/field/test_world.h"
#include "tests/service/http_client.h"
#include "tests/service/web_server.h"
#include "tests/world/reseed_gate.h"
#include "thalweg/v1/http.pb.h"

namespace thalweg::service {
namespace {

using ::testing::HasSubstr;

constexpr char kJson[] = "Content-Type: application/json\r\n";

std::string SpecNamed(const std::string& name, int seed) {
  return R"({"name": ")" + name + R"(", "seed": )" + std::to_string(seed) +
         R"(, "levels": 2, "base": {"constant": 3}, "rules": [{"detail": {}}]})";
}

TEST(HttpWorldsTest, AreListedAndDescribed) {
  WebServer server;
  HttpClient client(server.port());
  v1::WorldList list;
  ASSERT_TRUE(text::FromJson(client.Get("/v1/worlds").body, list).ok());
  ASSERT_EQ(list.worlds_size(), 1);
  EXPECT_EQ(list.worlds(0).name(), "test-1");
  const HttpAnswer answer = client.Get(list.worlds(0).url());
  v1::WorldDocument world;
  ASSERT_TRUE(text::FromJson(answer.body, world).ok()) << answer.body;
  EXPECT_EQ(world.world().id(), field::TestWorld()->hex_id());
  EXPECT_EQ(world.world().levels(), 6U);
  EXPECT_EQ(world.tile_cells(), 256U);
  EXPECT_EQ(world.layers(0).name(), "height");
  EXPECT_EQ(world.layers(0).unit(), "m");
  EXPECT_EQ(world.layers(0).scale(), 1.0 / 65'536);
  EXPECT_EQ(world.layers(0).png16_step(), 0.125);
  EXPECT_EQ(world.spec().name(), "test-1");
  EXPECT_FALSE(world.has_lakes());
  EXPECT_EQ(world.tiles(),
            "http://terrain.test/v1/worlds/" + world.world().id() + "/tiles/{level}/{x}/{y}.{ext}");
  EXPECT_EQ(client.Get("/v1/worlds/test-1").body, answer.body);
  EXPECT_EQ(client.Get("/v1/worlds/test-1%409").status, 200);
}

TEST(HttpWorldsTest, DocumentsAreValidatedAndCompressed) {
  WebServer server;
  HttpClient client(server.port());
  const HttpAnswer plain = client.Get("/v1/worlds/test-1");
  const std::string etag = plain.Header("etag");
  const HttpAnswer known = client.Get("/v1/worlds/test-1", "If-None-Match: " + etag + "\r\n");
  EXPECT_EQ(known.status, 304);
  // Answers without compression need it too: with other headers, the answer would be another one.
  EXPECT_EQ(plain.Header("vary"), "Accept-Encoding");
  EXPECT_EQ(known.Header("vary"), "Accept-Encoding");
  const HttpAnswer coded = client.Get("/v1/worlds/test-1", "Accept-Encoding: zstd\r\n");
  EXPECT_EQ(coded.Header("content-encoding"), "zstd");
  EXPECT_EQ(coded.Header("vary"), "Accept-Encoding");
  EXPECT_NE(coded.Header("etag"), etag);
  std::string text(plain.body.size(), '\0');
  EXPECT_EQ(ZSTD_decompress(text.data(), text.size(), coded.body.data(), coded.body.size()),
            text.size());
  EXPECT_EQ(text, plain.body);
  // Tiles are not compressed again.
  EXPECT_EQ(client.Get("/v1/worlds/test-1/tiles/0/0/0.tlw", "Accept-Encoding: zstd\r\n")
                .Header("content-encoding"),
            "");
}

TEST(HttpWorldsTest, NothingIsCompressedTwice) {
  WebServer server;
  HttpClient client(server.port());
  const http::CodedTexts& texts = server.http().coded_texts();
  std::uint64_t made = 0;
  for (const char* path : {"/v1/worlds/test-1", "/v1/worlds/test-1%409", "/v1/worlds/test-1"}) {
    for (const char* coding : {"zstd", "gzip"}) {
      const std::string accept = std::string("Accept-Encoding: ") + coding + "\r\n";
      made = texts.made();
      const HttpAnswer head = client.Ask("HEAD", path, accept);
      EXPECT_EQ(head.status, 200);
      const std::string etag = head.Header("etag");
      const std::string condition = "If-None-Match: " + etag + "\r\n";
      EXPECT_EQ(client.Get(path, accept + condition).status, 304);
      EXPECT_EQ(texts.made(), made) << path;
      const HttpAnswer first = client.Get(path, accept);
      EXPECT_EQ(first.Header("content-encoding"), coding);
      EXPECT_EQ(first.Header("etag"), etag);
      made = texts.made();
      const HttpAnswer second = client.Get(path, accept);
      EXPECT_EQ(second.body, first.body);
      const HttpAnswer again = client.Ask("HEAD", path, accept);
      EXPECT_EQ(again.Header("content-length"), std::to_string(first.body.size()));
      EXPECT_EQ(texts.made(), made) << path;
    }
  }
  // Two documents in two codings: the third path is the first one again.
  EXPECT_EQ(made, 4U);
}

TEST(HttpWorldsTest, FilesAreCompressedAtBuildTime) {
  WebServer server;
  HttpClient client(server.port());
  for (const http::Asset& asset : http::AllAssets()) {
    const std::string path = "/assets/" + std::string(asset.name);
    for (const http::Coding coding : {http::Coding::kGzip, http::Coding::kZstd}) {
      const http::Asset::Coded& coded = asset.coded[static_cast<std::size_t>(coding)];
      const std::string accept = "Accept-Encoding: " + std::string(http::NameOf(coding)) + "\r\n";
      const HttpAnswer file = client.Get(path, accept);
      EXPECT_EQ(file.Header("vary"), "Accept-Encoding");
      EXPECT_EQ(file.body, coded.bytes.empty() ? asset.bytes() : coded.bytes) << path;
      EXPECT_EQ(file.Header("content-encoding"), coded.bytes.empty() ? "" : http::NameOf(coding));
      const HttpAnswer head = client.Ask("HEAD", path, accept);
      EXPECT_EQ(head.Header("content-length"), std::to_string(file.body.size()));
      EXPECT_EQ(head.Header("etag"), file.Header("etag"));
    }
  }
  EXPECT_EQ(server.http().coded_texts().made(), 0U);
}

TEST(HttpWorldsTest, AreCreated) {
  WebServer server;
  HttpClient client(server.port());
  const HttpAnswer made = client.Ask("POST", "/v1/worlds", kJson, SpecNamed("mine", 4));
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_THAT(made.Header("location"), HasSubstr("http://terrain.test/v1/worlds/"));
  EXPECT_EQ(client.Get("/v1/worlds/mine").status, 200);
  EXPECT_EQ(client.Get("/v1/worlds/mine/tiles/1/0/0.png").status, 200);
  EXPECT_EQ(client.Ask("POST", "/v1/worlds", kJson, SpecNamed("mine", 4)).status, 200);
  EXPECT_EQ(client.Ask("POST", "/v1/worlds", kJson, SpecNamed("mine", 5)).status, 409);
  EXPECT_EQ(client.Ask("POST", "/v1/worlds?replace=true", kJson, SpecNamed("mine", 5)).status, 201);
  EXPECT_EQ(client.Ask("POST", "/v1/worlds", kJson, SpecNamed("mine", 5)).status, 200);
  // The server has no folder to keep the world in.
  EXPECT_EQ(client.Ask("POST", "/v1/worlds?keep=true", kJson, SpecNamed("kept", 6)).status, 409);
  const HttpAnswer wrong = client.Ask("POST", "/v1/worlds", kJson, R"({"name": "x", "hight": 1})");
  EXPECT_EQ(wrong.status, 400);
  EXPECT_THAT(wrong.body, HasSubstr("hight"));
  for (const char* parameters : {"keep=yes", "replace=1", "keep=true&replace="}) {
    EXPECT_EQ(client.Ask("POST", absl::StrCat("/v1/worlds?", parameters), kJson, SpecNamed("a", 1))
                  .status,
              400)
        << parameters;
  }
}

// A specification of 1 kB, whose sums cost nothing, must not end the server.
TEST(HttpWorldsTest, MayNotBeTooDeep) {
  WebServer server;
  HttpClient client(server.port());
  std::string node = R"({"constant": 1})";
  for (int sums = 0; sums < 32; ++sums) {
    node.insert(0, R"({"sum": {"nodes": [)").append("]}}");
  }
  const HttpAnswer deep = client.Ask("POST", "/v1/worlds", kJson,
                                     R"({"name": "deep", "rules": [{}], "base": )" + node + "}");
  EXPECT_EQ(deep.status, 400);
  EXPECT_THAT(deep.body, HasSubstr("the world nests more than 16 nodes deep"));
  EXPECT_EQ(client.Get("/v1/worlds").status, 200);
}

// A page of another origin could send text/plain without a preflight request.
TEST(HttpWorldsTest, PagesOfOtherOriginsMayNotCreateWorlds) {
  WebServer server;
  HttpClient client(server.port());
  for (const char* type : {"", "Content-Type: text/plain\r\n",
                           "Content-Type: application/x-www-form-urlencoded\r\n"}) {
    EXPECT_EQ(client.Ask("POST", "/v1/worlds", type, SpecNamed("mine", 4)).status, 415) << type;
  }
  const HttpAnswer preflight = client.Ask(
      "OPTIONS", "/v1/worlds", "Origin: http://a.test\r\nAccess-Control-Request-Method: POST\r\n");
  EXPECT_EQ(preflight.status, 204);
  EXPECT_EQ(preflight.Header("access-control-allow-methods"), "GET, HEAD");
  EXPECT_EQ(preflight.Header("access-control-allow-headers").find("Content-Type"),
            std::string::npos);
  EXPECT_EQ(client
                .Ask("OPTIONS", "/v1/worlds/test-1",
                     "Origin: http://a.test\r\nAccess-Control-Request-Method: DELETE\r\n")
                .Header("access-control-allow-methods"),
            "GET, HEAD");
  EXPECT_EQ(
      client.Get("/v1/worlds", "Origin: http://a.test\r\n").Header("access-control-allow-origin"),
      "*");
}

// A browser lets pages send requests, but its headers say which origin the page is from.
TEST(HttpWorldsTest, OnlyThisServersPagesMayChangeWorlds) {
  WebServer server;
  HttpClient client(server.port());
  const auto ask = [&](const std::string& method, const std::string& path,
                       const std::string& headers) {
    return client.Ask(method, path, kJson + headers,
                      method == "POST" ? SpecNamed("mine", 4) : std::string());
  };
  for (const char* headers : {"Sec-Fetch-Site: cross-site\r\n", "Sec-Fetch-Site: same-site\r\n",
                              "Origin: http://a.test\r\n", "Origin: https://terrain.test\r\n",
                              "Origin: null\r\n", "Origin: http://terrain.test.a.test\r\n",
                              "Sec-Fetch-Site: cross-site\r\nOrigin: http://terrain.test\r\n"}) {
    const HttpAnswer created = ask("POST", "/v1/worlds", headers);
    EXPECT_EQ(created.status, 403) << headers;
    EXPECT_EQ(created.Header("content-type"), "application/problem+json");
    EXPECT_THAT(created.body, HasSubstr("only pages of this server may"));
    EXPECT_EQ(ask("DELETE", "/v1/worlds/test-1", headers).status, 403) << headers;
  }
  EXPECT_EQ(client.Get("/v1/worlds/mine").status, 404);
  for (const char* headers : {"", "Sec-Fetch-Site: same-origin\r\n", "Sec-Fetch-Site: none\r\n",
                              "Origin: http://terrain.test\r\n", "Origin: HTTP://TERRAIN.TEST\r\n",
                              // Behind a proxy, the server may have another name.
                              "Sec-Fetch-Site: same-origin\r\nOrigin: https://outside.test\r\n"}) {
    EXPECT_EQ(ask("POST", "/v1/worlds", headers).status, 201) << headers;
    EXPECT_EQ(ask("DELETE", "/v1/worlds/mine", headers).status, 204) << headers;
  }
}

TEST(HttpWorldsTest, ThePublicUrlIsTheOrigin) {
  http::HttpOptions http;
  http.public_url = "https://outside.test/terrain";
  WebServer server({}, http);
  HttpClient client(server.port());
  const std::string json = kJson;
  EXPECT_EQ(
      client
          .Ask("POST", "/v1/worlds", json + "Origin: http://terrain.test\r\n", SpecNamed("mine", 4))
          .status,
      403);
  EXPECT_EQ(client
                .Ask("POST", "/v1/worlds", json + "Origin: https://outside.test\r\n",
                     SpecNamed("mine", 4))
                .status,
            201);
}

TEST(HttpWorldsTest, AreDeleted) {
  WebServer server;
  HttpClient client(server.port());
  ASSERT_EQ(client.Ask("POST", "/v1/worlds", kJson, SpecNamed("mine", 4)).status, 201);
  const HttpAnswer deleted = client.Ask("DELETE", "/v1/worlds/mine");
  EXPECT_EQ(deleted.status, 204);
  EXPECT_EQ(deleted.body, "");
  EXPECT_EQ(client.Get("/v1/worlds/mine").status, 404);
  EXPECT_EQ(client.Ask("DELETE", "/v1/worlds/mine").status, 404);
  const HttpAnswer own = client.Ask("DELETE", "/v1/worlds/test-1");
  EXPECT_EQ(own.status, 409);
  EXPECT_EQ(own.Header("content-type"), "application/problem+json");
  EXPECT_EQ(client.Ask("DELETE", "/v1/worlds/mine?keep=true").status, 400);
  EXPECT_EQ(client.Ask("DELETE", "/v1/worlds/mine/tilejson.json").status, 405);
}

TEST(HttpWorldsTest, OldWorldsMakeRoomForNewOnes) {
  TestServerOptions options;
  options.library = world::WorldLibrary::Of({field::TestWorld()}, {.max_created = 2});
  WebServer server(std::move(options));
  HttpClient client(server.port());
  for (int n = 0; n < 10; ++n) {
    ASSERT_EQ(
        client.Ask("POST", "/v1/worlds", kJson, SpecNamed("w-" + std::to_string(n), n)).status,
        201);
  }
  const HttpAnswer gone = client.Get("/v1/worlds/w-0/tiles/0/0/0.png");
  EXPECT_EQ(gone.status, 404);
  EXPECT_EQ(client.Get("/v1/worlds/w-9/tiles/0/0/0.png").status, 200);
  EXPECT_EQ(client.Ask("POST", "/v1/worlds", kJson, SpecNamed("w-0", 0)).status, 201);
}

TEST(HttpWorldsTest, TheListHasPages) {
  TestServerOptions options;
  for (std::uint32_t n = 0; n < 7; ++n) options.worlds.push_back(field::TestWorld(3, 10 + n));
  WebServer server(std::move(options));
  HttpClient client(server.port());
  std::vector<std::string> names;
  std::string next = "/v1/worlds?page_size=3";
  int pages = 0;
  while (!next.empty()) {
    v1::WorldList page;
    const HttpAnswer answer = client.Get(next);
    ASSERT_TRUE(text::FromJson(answer.body, page).ok()) << answer.body;
    for (const v1::WorldSummary& world : page.worlds()) names.push_back(world.name());
    EXPECT_LE(page.worlds_size(), 3);
    next = page.next();
    EXPECT_EQ(next, page.next_page_token().empty()
                        ? ""
                        : "/v1/worlds?page_size=3&page_token=" + page.next_page_token());
    ++pages;
  }
  EXPECT_EQ(pages, 3);
  EXPECT_THAT(names, ::testing::ElementsAre("test-10", "test-11", "test-12", "test-13", "test-14",
                                            "test-15", "test-16"));
  EXPECT_THAT(client.Get("/v1/worlds").body, ::testing::Not(HasSubstr("next")));
  EXPECT_THAT(client.Get("/v1/worlds?page_size=-3").body,
              HasSubstr("invalid page_size: expected 0 to 1000, got '-3'"));
  EXPECT_THAT(client.Get("/v1/worlds?page_token=A").body,
              HasSubstr("invalid page_token: expected the next_page_token of the page before"));
}

// One loop serves all connections, and none of them waits for a compilation that hangs.
TEST(HttpWorldsTest, OtherRequestsAreAnsweredWhileAWorldIsCompiled) {
  world::ReseedGate gate;
  TestServerOptions options;
  options.library = world::WorldLibrary::Of({field::TestWorld()}, {.reseed = gate.Reseed()});
  http::HttpOptions http;
  http.threads = 1;
  WebServer server(std::move(options), http);
  gate.Close();
  std::vector<std::unique_ptr<HttpClient>> waiting;
  for (const char* path : {"", "/tilejson.json", "/tiles/0/0/0.png", "/tiles/0/0/0.tlw"}) {
    waiting.push_back(std::make_unique<HttpClient>(server.port()));
    waiting.back()->Send(RequestOf("GET", std::string("/v1/worlds/test-1@7") + path));
  }
  gate.AwaitCompiled(1);
  HttpClient client(server.port());
  EXPECT_EQ(client.Get("/v1/worlds").status, 200);
  EXPECT_EQ(client.Get("/v1/worlds/test-1/tiles/0/0/0.png").status, 200);
  // Nothing is made for a caller that disconnects while it waits.
  HttpClient gone(server.port());
  gone.Send(RequestOf("GET", "/v1/worlds/test-1@7/tiles/1/0/0.png"));
  gone.Close();
  gate.Open();
  for (const auto& one : waiting) EXPECT_EQ(one->Read()->status, 200);
  EXPECT_EQ(gate.compiled(), 1);
}

TEST(HttpWorldsTest, HealthReadinessAndMetricsAreServed) {
  WebServer server;
  HttpClient client(server.port());
  EXPECT_EQ(client.Get("/healthz").status, 200);
  EXPECT_EQ(client.Get("/readyz").status, 200);
  EXPECT_EQ(client.Get("/metrics").body, "counted 1\n");
  EXPECT_EQ(client.Get("/healthz", "X-Request-Id: mine-7\r\n").Header("x-request-id"), "mine-7");
}

TEST(HttpWorldsTest, TheServerHasPagesForPeople) {
  WebServer server;
  HttpClient client(server.port());
  const HttpAnswer page = client.Get("/");
  EXPECT_EQ(page.status, 200);
  EXPECT_EQ(page.Header("content-type"), "text/html; charset=utf-8");
  EXPECT_THAT(page.Header("content-security-policy"), HasSubstr("default-src 'none'"));
  // Other pages must not frame it or keep a handle to its window: they could steal clicks.
  EXPECT_THAT(page.Header("content-security-policy"), HasSubstr("frame-ancestors 'none'"));
  EXPECT_EQ(page.Header("x-frame-options"), "DENY");
  EXPECT_EQ(page.Header("cross-origin-opener-policy"), "same-origin");
  // If the viewer was built, the page loads its scripts from this server. Otherwise it has none.
  const auto assets = http::AllAssets();
  const bool has_viewer = std::any_of(assets.begin(), assets.end(), [](const http::Asset& asset) {
    return asset.name == "index.html" && !asset.bytes().empty();
  });
  if (has_viewer) {
    EXPECT_THAT(page.body, HasSubstr("src=\"./assets/viewer.js\""));
  } else {
    EXPECT_THAT(page.body, HasSubstr("<h2>test-1</h2>"));
    EXPECT_EQ(page.body.find("<script"), std::string::npos);
  }
  for (const http::Asset& asset : http::AllAssets()) {
    const HttpAnswer file = client.Get("/assets/" + std::string(asset.name));
    EXPECT_EQ(file.status, 200);
    EXPECT_EQ(file.body, asset.bytes());
    EXPECT_EQ(client
                  .Get("/assets/" + std::string(asset.name),
                       "If-None-Match: " + file.Header("etag") + "\r\n")
                  .status,
              304);
  }
}

}  // namespace
}  // namespace thalweg::service
