// The life of HTTP connections: limits, drains and ends.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tests/service/http_client.h"
#include "tests/service/web_server.h"

namespace thalweg::service {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;

http::HttpOptions Hasty() {
  http::HttpOptions http;
  http.limits.sweep = milliseconds(10);
  return http;
}

TEST(HttpConnectionTest, AConnectionIsKeptAndAnswersInOrder) {
  WebServer server;
  HttpClient client(server.port());
  for (int k = 0; k < 3; ++k) EXPECT_EQ(client.Get("/healthz").body, "ok\n");
  // Three requests at once: a cold tile between two quick answers.
  client.Send(RequestOf("GET", "/healthz") + RequestOf("GET", "/v1/worlds/test-1/tiles/0/1/1.tlw") +
              RequestOf("GET", "/readyz"));
  EXPECT_EQ(client.Read()->body, "ok\n");
  EXPECT_EQ(client.Read()->Header("content-type"), "application/vnd.thalweg.tile");
  EXPECT_EQ(client.Read()->body, "ready\n");
  EXPECT_EQ(server.http().connections(), 1U);
}

TEST(HttpConnectionTest, ProxiesMayNameTheServer) {
  WebServer server;
  HttpClient client(server.port());
  EXPECT_EQ(client.Get("http://terrain.test/healthz").body, "ok\n");
  EXPECT_EQ(client.Get("http://terrain.test").status, 200);
  EXPECT_EQ(client.Get("healthz").status, 400);
}

TEST(HttpConnectionTest, AConnectionEndsIfItsCallerAsks) {
  WebServer server;
  HttpClient once(server.port());
  EXPECT_EQ(once.Get("/healthz", "Connection: close\r\n").Header("connection"), "close");
  EXPECT_TRUE(once.IsClosed());
  HttpClient old(server.port());
  old.Send("GET /healthz HTTP/1.0\r\n\r\n");
  EXPECT_EQ(old.Read()->status, 200);
  EXPECT_TRUE(old.IsClosed());
  HttpClient half(server.port());
  half.Send(RequestOf("GET", "/healthz"));
  half.ShutDown();
  EXPECT_EQ(half.Read()->status, 200);
  EXPECT_TRUE(half.IsClosed());
  AwaitTrue([&] { return server.http().connections() == 0; });
}

TEST(HttpConnectionTest, ASlowRequestTimesOut) {
  http::HttpOptions http = Hasty();
  http.limits.read_timeout = milliseconds(100);
  WebServer server({}, http);
  HttpClient slow(server.port());
  slow.Send("GET /healthz HTTP/1.1\r\nHost: a");
  EXPECT_EQ(slow.Read()->status, 408);
  EXPECT_TRUE(slow.IsClosed());
  HttpClient body(server.port());
  body.Send("POST /v1/worlds HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{");
  EXPECT_EQ(body.Read()->status, 408);
  EXPECT_TRUE(body.IsClosed());
  AwaitTrue([&] { return server.http().connections() == 0; });
}

TEST(HttpConnectionTest, AnIdleConnectionIsClosed) {
  http::HttpOptions http = Hasty();
  http.limits.idle_timeout = milliseconds(50);
  WebServer server({}, http);
  HttpClient client(server.port());
  EXPECT_EQ(client.Get("/healthz").status, 200);
  EXPECT_TRUE(client.IsClosed());
  HttpClient silent(server.port());
  EXPECT_TRUE(silent.IsClosed());
}

TEST(HttpConnectionTest, TheLongestIdleConnectionMakesRoom) {
  http::HttpOptions http;
  http.max_connections = 3;
  http.threads = 1;
  WebServer server({}, http);
  HttpClient first(server.port());
  EXPECT_EQ(first.Get("/healthz").status, 200);
  std::vector<std::unique_ptr<HttpClient>> others;
  for (int k = 0; k < 5; ++k) {
    others.push_back(std::make_unique<HttpClient>(server.port()));
    EXPECT_EQ(others.back()->Get("/healthz").status, 200);
  }
  EXPECT_TRUE(first.IsClosed());
  EXPECT_EQ(others.back()->Get("/healthz").status, 200);
  EXPECT_LE(server.http().connections(), 3U);
  EXPECT_EQ(server.counters().begun, 6U);
  EXPECT_EQ(server.counters().crowded_out, 3U);
}

// Requests that never end do not keep new connections out.
TEST(HttpConnectionTest, UnfinishedRequestsMakeRoom) {
  http::HttpOptions http;
  http.max_connections = 3;
  http.threads = 1;
  WebServer server({}, http);
  std::vector<std::unique_ptr<HttpClient>> unfinished;
  for (int k = 0; k < 3; ++k) {
    unfinished.push_back(std::make_unique<HttpClient>(server.port()));
    // The first answer shows that the server reads the connection.
    EXPECT_EQ(unfinished.back()->Get("/healthz").status, 200);
    unfinished.back()->Send("GET / HTTP/1.1\r\nHos");
  }
  std::vector<std::unique_ptr<HttpClient>> others;
  for (const auto& client : unfinished) {
    others.push_back(std::make_unique<HttpClient>(server.port()));
    EXPECT_EQ(others.back()->Get("/healthz").status, 200);
    EXPECT_TRUE(client->IsClosed());
  }
  EXPECT_EQ(server.counters().crowded_out, 3U);
}

// The process may open no more files than it has, and a few.
class FileLimit {
 public:
  explicit FileLimit(int more) {
    getrlimit(RLIMIT_NOFILE, &before_);
    const int next = dup(STDERR_FILENO);
    close(next);
    rlimit limit = before_;
    limit.rlim_cur = static_cast<rlim_t>(next + more);
    setrlimit(RLIMIT_NOFILE, &limit);
  }
  ~FileLimit() { setrlimit(RLIMIT_NOFILE, &before_); }
  FileLimit(const FileLimit&) = delete;
  FileLimit& operator=(const FileLimit&) = delete;

 private:
  rlimit before_{};
};

// Other parts of the process may use up its files, whatever the limit of connections is.
TEST(HttpConnectionTest, TheLongestIdleConnectionMakesRoomIfFilesRunOut) {
  http::HttpOptions http;
  http.threads = 1;
  WebServer server({}, http);
  HttpClient idle(server.port());
  EXPECT_EQ(idle.Get("/healthz").status, 200);
  // One for this end of a connection, none for the server's.
  const FileLimit limit(1);
  HttpClient next(server.port());
  EXPECT_EQ(next.Get("/healthz").status, 200);
  EXPECT_TRUE(idle.IsClosed());
  EXPECT_EQ(server.counters().crowded_out, 1U);
}

// All callers may come from one address of this machine, if a proxy runs on it.
TEST(HttpConnectionTest, ThisMachineMayHaveManyConnections) {
  http::HttpOptions http;
  http.connections_per_address = 2;
  WebServer server({}, http);
  std::vector<std::unique_ptr<HttpClient>> clients;
  for (int k = 0; k < 8; ++k) {
    clients.push_back(std::make_unique<HttpClient>(server.port()));
    EXPECT_EQ(clients.back()->Get("/healthz").status, 200);
  }
  for (const auto& client : clients) EXPECT_EQ(client->Get("/healthz").status, 200);
  EXPECT_EQ(server.counters().crowded_out, 0U);
}

TEST(HttpConnectionTest, WaitsForACautiousCallersBody) {
  WebServer server;
  HttpClient client(server.port());
  client.Send(
      "POST /v1/worlds HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
      "Expect: 100-continue\r\nContent-Length: 2\r\n\r\n");
  EXPECT_EQ(client.Read()->status, 100);
  client.Send("{}");
  EXPECT_EQ(client.Read()->status, 400);
  EXPECT_EQ(client.Get("/healthz").status, 200);
}

TEST(HttpConnectionTest, DrainLetsRunningRequestsFinish) {
  WebServer server;
  server->device().Close();
  HttpClient running(server.port());
  running.Send(RequestOf("GET", "/v1/worlds/test-1/tiles/0/0/0.png"));
  HttpClient idle(server.port());
  EXPECT_EQ(idle.Get("/readyz").status, 200);
  server->device().AwaitRunAtGate();
  bool all_finished = false;
  std::thread drain([&] {
    all_finished = server.http().Drain(std::chrono::steady_clock::now() + std::chrono::hours(1));
  });
  EXPECT_TRUE(idle.IsClosed());
  server->device().Open();
  const auto answer = running.Read();
  drain.join();
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 200);
  EXPECT_EQ(answer->Header("connection"), "close");
  EXPECT_TRUE(running.IsClosed());
  EXPECT_TRUE(all_finished);
}

TEST(HttpConnectionTest, TheDrainHasATimeout) {
  WebServer server;
  server->device().Close();
  HttpClient running(server.port());
  running.Send(RequestOf("GET", "/v1/worlds/test-1/tiles/0/0/0.png"));
  server->device().AwaitRunAtGate();
  EXPECT_FALSE(server.http().Drain(std::chrono::steady_clock::now()));
  const auto answer = running.Read();
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 503);
  EXPECT_EQ(answer->Header("retry-after"), "1");
  EXPECT_EQ(answer->Header("connection"), "close");
  EXPECT_THAT(answer->body, testing::HasSubstr("the server is stopping and did not finish this"));
  EXPECT_TRUE(running.IsClosed());
  EXPECT_EQ(server->tiles().stats().flights, 0U);
}

// A connection that was accepted in the last moment reaches its loop after the port is closed.
TEST(HttpConnectionTest, AServerCanStopWhileCallersConnect) {
  TestServer server;
  for (int round = 0; round < 50; ++round) {
    http::Site site;
    site.engine = server.engine();
    http::ConnectionCounters counters;
    site.connections = &counters;
    auto http = http::HttpServer::Start(site, "127.0.0.1:0");
    ASSERT_TRUE(http.ok()) << http.status();
    std::vector<std::unique_ptr<HttpClient>> callers;
    for (int k = 0; k < 12; ++k) callers.push_back(std::make_unique<HttpClient>((*http)->port()));
    http->reset();
    for (const auto& caller : callers) EXPECT_TRUE(caller->IsClosed());
  }
}

}  // namespace
}  // namespace thalweg::service
