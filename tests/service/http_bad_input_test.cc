// Input that no client should send. The server answers with a problem document or closes the
// connection, and generates nothing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <utility>

#include "tests/service/http_client.h"
#include "tests/service/web_server.h"

namespace thalweg::service {
namespace {

using ::testing::HasSubstr;

class HttpBadInputTest : public testing::Test {
 protected:
  ~HttpBadInputTest() override {
    // Whatever the input was, the server still answers and has computed nothing.
    HttpClient client(server_.port());
    EXPECT_EQ(client.Get("/healthz").status, 200);
    EXPECT_EQ(server_.blocks(), 0U);
  }
  void ExpectProblem(int status, const std::string& text) {
    HttpClient client(server_.port());
    client.Send(text);
    const auto answer = client.Read();
    ASSERT_TRUE(answer) << text.substr(0, 200);
    EXPECT_EQ(answer->status, status) << text.substr(0, 200) << answer->body;
    EXPECT_EQ(answer->Header("content-type"), "application/problem+json") << text.substr(0, 200);
    EXPECT_NE(answer->Header("x-request-id"), "");
  }
  void ExpectProblemOf(int status, const std::string& path) {
    ExpectProblem(status, RequestOf("GET", path));
  }

  WebServer server_;
};

TEST_F(HttpBadInputTest, UnknownPathsAreRefused) {
  for (const char* path :
       {"/v1/worlds/nowhere", "/v1/worlds/%ff%fe'%22", "/v1/worlds/nowhere/tiles/0/0/0.png",
        "/v1/worlds/test-1/tiles/6/0/0.png", "/v1/worlds/test-1/tiles/99/0/0.png",
        "/v1/worlds/test-1/tiles/0/9223372036854775807/0.png",
        "/v1/worlds/test-1/tiles/0/0/-9223372036854775808.tlw",
        "/v1/worlds/test-1/tiles/0/9223372036854775808/0.png",
        "/v1/worlds/test-1/tiles/0/1e9/0.png", "/v1/worlds/test-1/tiles/0/0/0.jpg",
        "/v1/worlds/test-1/tiles/0/0/0.png.png", "/v1/worlds/test-1/tiles/0/0/0",
        "/v1/worlds/test-1/xyz/0/0/0.png", "/v1/worlds/test-1/xyz/60/0/0.png", "/favicon.ico",
        "/assets/nothing.js", "/v1/worlds/test-1/tilejson",
        "/v1/worlds/test-1/tiles/0/0/0.png?face=1", "/v1/worlds/test-1/tiles/0/0/0.tlw?face=5"}) {
    ExpectProblemOf(404, path);
  }
}

TEST_F(HttpBadInputTest, InvalidParametersAreRefused) {
  const std::string tile = "/v1/worlds/test-1/tiles/0/0/0.";
  for (const char* rest : {"png?layer=heights",
                           "png?layer=",
                           "png?layer=height,slope",
                           "png?size=0",
                           "png?size=300",
                           "png?size=99999999999999999999",
                           "png?size=256&size=256",
                           "png?sizes=256",
                           "tlw?size=256",
                           "tlw?layer=height,height",
                           "tlw?layer=vegetation",
                           "tlw?precision=best",
                           "tlw?face=6",
                           "tlw?face=-1",
                           "png?face=",
                           "png?face=x",
                           "png?face=0&face=0",
                           "terrarium.png?layer=slope",
                           "png16?layer=normal",
                           "lerc?layer=normal",
                           "png?%00=1",
                           "png?layer=%ff%fe",
                           "png?token=thalweg_x"}) {
    ExpectProblemOf(400, tile + rest);
  }
  ExpectProblemOf(400, "/v1/worlds/test-1/tiles/5/0/0.png?size=512");
  // The plane's last tile: its four children would be beyond the plane's end.
  ExpectProblemOf(400, "/v1/worlds/test-1/tiles/1/1099511627775/0.png?size=512");
  ExpectProblemOf(400, "/v1/worlds/test-1/tilejson.json?window=99");
  ExpectProblemOf(400, "/v1/worlds/test-1/tilejson.json?x=1e99");
  // In a query, a plus means a space.
  ExpectProblemOf(400, "/v1/worlds/test-1/tilejson.json?x=1e+06");
  ExpectProblemOf(400, "/v1/worlds/test-1/tilejson.json?encoding=jpeg");
  ExpectProblemOf(400, "/v1/worlds?page=2");
  for (const char* page : {"page_size=-1", "page_size=1e2", "page_size=", "page_size=2147483648",
                           "page_token=Alps", "page_token=%ff", "page_token=a%20b"}) {
    ExpectProblemOf(400, std::string("/v1/worlds?") + page);
  }
}

TEST_F(HttpBadInputTest, PathTricksAreRefused) {
  for (const char* path : {"/../etc/passwd", "/assets/../../etc/passwd", "/assets/%2e%2e%2fpasswd",
                           "/assets/..%5c..", "/%", "/v1/worlds/%00", "/v1/worlds/a%0d%0ab"}) {
    ExpectProblemOf(400, path);
  }
}

TEST_F(HttpBadInputTest, InvalidHttpIsRefused) {
  using namespace std::string_literals;
  ExpectProblem(400, "GET / HTTP/1.1\r\n\r\n");
  ExpectProblem(400, "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n");
  ExpectProblem(400, "GET  / HTTP/1.1\r\nHost: a\r\n\r\n");
  ExpectProblem(400, "GET / HTTP/1.1\r\nHost : a\r\n\r\n");
  // The first bytes of a TLS client.
  ExpectProblem(400, "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n"s);
  ExpectProblem(505, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
  ExpectProblem(400,
                "POST /v1/worlds HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n"
                "Content-Length: 6\r\n\r\n");
  ExpectProblem(400, "POST /v1/worlds HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n");
}

TEST_F(HttpBadInputTest, LargeRequestsAreRefused) {
  ExpectProblem(431, "GET / HTTP/1.1\r\nHost: a\r\nX: " + std::string(20'000, 'x') + "\r\n\r\n");
  ExpectProblem(431, "GET /" + std::string(100'000, 'x'));
  ExpectProblemOf(400, "/" + std::string(4'000, 'x'));
  ExpectProblem(413, "POST /v1/worlds HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\n\r\n");
  ExpectProblem(413, "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc");
  std::string chunked = "POST /v1/worlds HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (int k = 0; k < 40; ++k) chunked += "2000\r\n" + std::string(0x2000, ' ') + "\r\n";
  ExpectProblem(413, chunked);
}

TEST_F(HttpBadInputTest, UnknownMethodsAreRefused) {
  HttpClient client(server_.port());
  for (const char* method : {"PUT", "DELETE", "PATCH", "TRACE"}) {
    const HttpAnswer answer = client.Ask(method, "/v1/worlds/test-1/tilejson.json");
    EXPECT_EQ(answer.status, 405) << method;
    EXPECT_EQ(answer.Header("allow"), "GET, HEAD, OPTIONS");
  }
  for (const char* method : {"PUT", "POST", "PATCH", "TRACE"}) {
    const HttpAnswer answer = client.Ask(method, "/v1/worlds/test-1");
    EXPECT_EQ(answer.status, 405) << method;
    EXPECT_EQ(answer.Header("allow"), "GET, HEAD, DELETE, OPTIONS");
    EXPECT_THAT(answer.body,
                HasSubstr(std::string("expected GET, HEAD, DELETE, OPTIONS, got ") + method));
  }
  EXPECT_EQ(client.Ask("POST", "/v1/worlds/test-1", "", "x").status, 405);
  EXPECT_EQ(client.Ask("DELETE", "/v1/worlds").status, 405);
  EXPECT_EQ(client.Ask("DELETE", "/v1/worlds").Header("allow"), "GET, HEAD, POST, OPTIONS");
}

// For any bytes, the server answers or closes the connection.
TEST_F(HttpBadInputTest, RandomBytesDoNotBreakTheServer) {
  std::mt19937_64 random(21);
  const std::string good =
      RequestOf("GET", "/v1/worlds/test-1?x=1", "Accept-Encoding: gzip\r\nIf-None-Match: *\r\n");
  for (int n = 0; n < 300; ++n) {
    std::string text = good;
    for (std::uint64_t k = 1 + random() % 4; k > 0; --k) {
      const std::size_t at = random() % text.size();
      if (random() % 3 == 0) {
        text.erase(at, random() % 8);
      } else {
        text[at] = static_cast<char>(random());
      }
      if (text.empty()) text = "x";
    }
    HttpClient client(server_.port());
    client.Send(text);
    client.ShutDown();
    // Reads to the end of the connection, however many answers come.
    while (client.Read()) {
    }
  }
  AwaitTrue([&] { return server_.http().connections() == 0; });
}

}  // namespace
}  // namespace thalweg::service
