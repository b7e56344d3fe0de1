// Worlds, documents and operations over HTTP.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zstd.h>

#include <algorithm>
#include <string>

#include "proto/text/message_text.h"
#include "server/http/assets.h"
#include "tests/field/test_world.h"
#include "tests/service/http_client.h"
#include "tests/service/web_server.h"
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
  EXPECT_EQ(client.Get("/v1/worlds/test-1", "If-None-Match: " + etag + "\r\n").status, 304);
  const HttpAnswer coded = client.Get("/v1/worlds/test-1", "Accept-Encoding: zstd\r\n");
  EXPECT_EQ(coded.Header("content-encoding"), "zstd");
  EXPECT_EQ(coded.Header("vary"), "Accept-Encoding");
  EXPECT_NE(coded.Header("etag"), etag);
  std::string text(plain.body.size(), '\0');
  EXPECT_EQ(ZSTD_decompress(text.data(), text.size(), coded.body.data(), coded.body.size()),
            text.size());
  EXPECT_EQ(text, plain.body);
  // Tiles are compressed already.
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
      EXPECT_EQ(client.Get(path, accept + "If-None-Match: " + etag + "\r\n").status, 304);
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
  // Two documents in two codings; the third was the first.
  EXPECT_EQ(made, 4U);
}

TEST(HttpWorldsTest, FilesAreCompressedByTheBuild) {
  WebServer server;
  HttpClient client(server.port());
  for (const http::Asset& asset : http::AllAssets()) {
    const std::string path = "/assets/" + std::string(asset.name);
    for (const http::Coding coding : {http::Coding::kGzip, http::Coding::kZstd}) {
      const http::Asset::Form& form = asset.forms[static_cast<std::size_t>(coding)];
      const std::string accept = "Accept-Encoding: " + std::string(http::NameOf(coding)) + "\r\n";
      const HttpAnswer file = client.Get(path, accept);
      EXPECT_EQ(file.Header("vary"), "Accept-Encoding");
      EXPECT_EQ(file.body, form.bytes.empty() ? asset.bytes() : form.bytes) << path;
      EXPECT_EQ(file.Header("content-encoding"), form.bytes.empty() ? "" : http::NameOf(coding));
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
  // There is no folder to keep it in.
  EXPECT_EQ(client.Ask("POST", "/v1/worlds?keep=true", kJson, SpecNamed("kept", 6)).status, 409);
  const HttpAnswer wrong = client.Ask("POST", "/v1/worlds", kJson, R"({"name": "x", "hight": 1})");
  EXPECT_EQ(wrong.status, 400);
  EXPECT_THAT(wrong.body, HasSubstr("hight"));
  EXPECT_EQ(client.Ask("POST", "/v1/worlds?keep=yes", kJson, SpecNamed("a", 1)).status, 400);
}

// A page of another origin could send text without asking first.
TEST(HttpWorldsTest, AreNotCreatedByPagesOfOtherOrigins) {
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
  EXPECT_EQ(
      client.Get("/v1/worlds", "Origin: http://a.test\r\n").Header("access-control-allow-origin"),
      "*");
}

TEST(HttpWorldsTest, OperationsAreThere) {
  WebServer server;
  HttpClient client(server.port());
  EXPECT_EQ(client.Get("/healthz").status, 200);
  EXPECT_EQ(client.Get("/readyz").status, 200);
  EXPECT_EQ(client.Get("/metrics").body, "counted 1\n");
  EXPECT_EQ(client.Get("/healthz", "X-Request-Id: mine-7\r\n").Header("x-request-id"), "mine-7");
}

TEST(HttpWorldsTest, PagesAreForPeople) {
  WebServer server;
  HttpClient client(server.port());
  const HttpAnswer page = client.Get("/");
  EXPECT_EQ(page.status, 200);
  EXPECT_EQ(page.Header("content-type"), "text/html; charset=utf-8");
  EXPECT_THAT(page.Header("content-security-policy"), HasSubstr("default-src 'none'"));
  // The viewer where it was built, whose scripts are files of this server; else a plain page.
  const auto assets = http::AllAssets();
  const bool has_viewer = std::any_of(assets.begin(), assets.end(), [](const http::Asset& asset) {
    return asset.name == "index.html" && !asset.bytes().empty();
  });
  if (has_viewer) {
    EXPECT_THAT(page.body, HasSubstr("src=\"/assets/viewer.js\""));
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
