// Which requests HTTP admits, also over TLS, and what happens if the queue is full.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/write.hpp>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "server/access/tls_identity.h"
#include "tests/access/certificates.h"
#include "tests/access/temporary_folder.h"
#include "tests/access/token_line.h"
#include "tests/service/http_client.h"
#include "tests/service/web_server.h"

namespace thalweg::service {
namespace {

namespace asio = boost::asio;
using access::LineOf;
using ::testing::HasSubstr;

constexpr char kTile[] = "/v1/worlds/test-1/tiles/0/0/0.png";
constexpr double kTileCells = 65'536;

std::string Bearer(const std::string& token) { return "Authorization: Bearer " + token + "\r\n"; }

// Counts calls that have begun.
class CountingListener final : public calls::CallListener {
 public:
  void Began(calls::Method) override { ++begun_; }
  void Sent(calls::Method, std::size_t) override {}
  void Ended(const calls::CallReport&) override {}
  int begun() const { return begun_; }

 private:
  std::atomic<int> begun_ = 0;
};

class HttpAccessTest : public testing::Test {
 protected:
  void Start(const std::string& tokens, const http::HttpOptions& http = {},
             const std::string& proxies = "") {
    access::ReloadOptions reload;
    reload.clock = [now = now_] { return sharing::Time(std::chrono::milliseconds(*now)); };
    auto control = access::AccessControl::OfFile(
        folder_.Put("tokens", tokens), reload,
        {.limits = {}, .proxies = *access::TrustedProxies::Parse(proxies)});
    ASSERT_TRUE(control.ok()) << control.status();
    TestServerOptions options;
    options.access = *std::move(control);
    options.listeners = {&listener_};
    server_ = std::make_unique<WebServer>(std::move(options), http);
  }

  const access::TemporaryFolder folder_;
  CountingListener listener_;
  const std::shared_ptr<std::atomic<std::int64_t>> now_ =
      std::make_shared<std::atomic<std::int64_t>>(0);
  std::unique_ptr<WebServer> server_;
};

TEST_F(HttpAccessTest, TokensAndScopesWorkAsInGrpc) {
  Start(LineOf("game", "t1", "read") + LineOf("smith", "t2", "read,create-worlds") +
        LineOf("root", "t3", "admin"));
  HttpClient client(server_->port());
  for (const char* path : {"/", "/v1/worlds", "/v1/worlds/test-1", kTile,
                           "/v1/worlds/test-1/tilejson.json", "/metrics"}) {
    const HttpAnswer refused = client.Get(path);
    EXPECT_EQ(refused.status, 401) << path;
    EXPECT_EQ(refused.Header("www-authenticate"), "Bearer");
    EXPECT_EQ(client.Get(path, Bearer("t9")).status, 401);
    EXPECT_EQ(client.Get(path, "Authorization: Basic dDE6\r\n").status, 401);
    EXPECT_EQ(client.Get(path, Bearer("t1") + Bearer("t1")).status, 401);
    EXPECT_EQ(client.Get(path, Bearer("t3")).status, 200) << path;
  }
  EXPECT_EQ(client.Get(kTile, Bearer("t1")).status, 200);
  EXPECT_EQ(client.Get("/metrics", Bearer("t1")).status, 403);
  const std::string json = "Content-Type: application/json\r\n";
  EXPECT_EQ(client.Ask("POST", "/v1/worlds", Bearer("t1") + json, "{}").status, 403);
  EXPECT_EQ(client.Ask("POST", "/v1/worlds", Bearer("t2") + json, "{}").status, 400);
  // Orchestrators and browsers ask for these without a token.
  EXPECT_EQ(client.Get("/healthz").status, 200);
  EXPECT_EQ(client.Get("/readyz").status, 200);
  EXPECT_EQ(client.Get("/assets/style.css").status, 200);
  EXPECT_EQ(client.Ask("OPTIONS", kTile).status, 204);
}

TEST_F(HttpAccessTest, TheMetricsPortIsOpenAndServesNothingElse) {
  http::HttpOptions http;
  http.only_metrics = true;
  Start(LineOf("root", "t3", "admin"), http);
  HttpClient client(server_->port());
  EXPECT_EQ(client.Get("/metrics").body, "counted 1\n");
  const std::string json = "Content-Type: application/json\r\n";
  for (const char* path : {"/", "/v1/worlds", "/v1/worlds/test-1", kTile, "/healthz", "/readyz",
                           "/examples/", "/assets/style.css"}) {
    EXPECT_EQ(client.Get(path, Bearer("t3")).status, 404) << path;
  }
  EXPECT_EQ(client.Ask("POST", "/v1/worlds", Bearer("t3") + json, "{}").status, 404);
  EXPECT_EQ(client.Ask("DELETE", "/v1/worlds/test-1", Bearer("t3")).status, 404);
}

TEST_F(HttpAccessTest, WorldsAreDeletedByTheirOwnersAndAdministrators) {
  Start(LineOf("game", "t1", "read") + LineOf("ann", "t2", "read,create-worlds") +
        LineOf("bob", "t3", "read,create-worlds") + LineOf("root", "t4", "admin"));
  HttpClient client(server_->port());
  const auto create = [&](const std::string& name, const std::string& token) {
    return client
        .Ask("POST", "/v1/worlds", Bearer(token) + "Content-Type: application/json\r\n",
             R"({"name": ")" + name + R"(", "levels": 2, "base": {"constant": 3}, )" +
                 R"("rules": [{"detail": {}}]})")
        .status;
  };
  const auto remove = [&](const std::string& name, const std::string& headers) {
    return client.Ask("DELETE", "/v1/worlds/" + name, headers).status;
  };
  ASSERT_EQ(create("mine", "t2"), 201);
  EXPECT_EQ(remove("mine", ""), 401);
  EXPECT_EQ(remove("mine", Bearer("t1")), 403);
  EXPECT_EQ(remove("mine", Bearer("t3")), 403);
  ASSERT_EQ(create("mine", "t3"), 200);
  // Each caller gives back only its own claim.
  EXPECT_EQ(remove("mine", Bearer("t2")), 204);
  EXPECT_EQ(client.Get("/v1/worlds/mine", Bearer("t1")).status, 200);
  EXPECT_EQ(remove("mine", Bearer("t2")), 403);
  EXPECT_EQ(remove("mine", Bearer("t4")), 204);
  EXPECT_EQ(client.Get("/v1/worlds/mine", Bearer("t1")).status, 404);
  EXPECT_EQ(remove("mine", Bearer("t3")), 404);
}

TEST_F(HttpAccessTest, SharedCachesMayNotKeepAnswersToTokens) {
  Start(LineOf("game", "t1", "read"));
  HttpClient client(server_->port());
  EXPECT_THAT(client.Get(kTile, Bearer("t1")).Header("cache-control"), HasSubstr("private"));
  // Without a valid token, a correct validator does not help either.
  const std::string etag = client.Get(kTile, Bearer("t1")).Header("etag");
  EXPECT_EQ(client.Get(kTile, "If-None-Match: " + etag + "\r\n").status, 401);
}

TEST_F(HttpAccessTest, TooManyCallsAreRefusedWithADelay) {
  Start(LineOf("game", "t1", "read", 2));
  HttpClient client(server_->port());
  EXPECT_EQ(client.Get("/v1/worlds", Bearer("t1")).status, 200);
  EXPECT_EQ(client.Get("/v1/worlds", Bearer("t1")).status, 200);
  const HttpAnswer refused = client.Get("/v1/worlds", Bearer("t1"));
  EXPECT_EQ(refused.status, 429);
  EXPECT_EQ(refused.Header("retry-after"), "1");
}

TEST_F(HttpAccessTest, EachAddressBehindATrustedProxyHasItsLimits) {
  const auto from = [](const std::string& address) {
    return "X-Forwarded-For: 203.0.113.5\r\nX-Forwarded-For: " + address + "\r\n";
  };
  for (const bool trusted : {true, false}) {
    Start("anonymous { scopes: READ calls_per_s: 1 }", {}, trusted ? "127.0.0.0/8" : "");
    HttpClient client(server_->port());
    EXPECT_EQ(client.Get("/v1/worlds", from("192.0.2.1")).status, 200);
    EXPECT_EQ(client.Get("/v1/worlds", from("192.0.2.1, 127.0.0.9")).status, 429);
    EXPECT_EQ(client.Get("/v1/worlds", from("192.0.2.2")).status, trusted ? 200 : 429);
  }
}

// The server waits instead of refusing: a web map would never ask for a refused tile again.
TEST_F(HttpAccessTest, ARequestWaitsForItsBudget) {
  Start(LineOf("game", "t1", "read", 0, kTileCells));
  HttpClient client(server_->port());
  EXPECT_EQ(client.Get(kTile, Bearer("t1")).status, 200);
  client.Send(RequestOf("GET", "/v1/worlds/test-1/tiles/0/1/0.png", Bearer("t1")));
  AwaitTrue([&] { return (*server_)->tiles().stats().flights == 0; });
  *now_ += 2'000;
  EXPECT_EQ(client.Read()->status, 200);
  EXPECT_EQ((*server_)->tiles().field_stats().blocks_computed, 2U);
}

TEST_F(HttpAccessTest, ARequestThatWaitsTooLongGetsTheReason) {
  http::HttpOptions http;
  // The first tile, which the budget pays for, takes less than this.
  http.limits.request_timeout = std::chrono::milliseconds(1'000);
  http.limits.sweep = std::chrono::milliseconds(10);
  Start(LineOf("game", "t1", "read", 0, kTileCells), http);
  HttpClient client(server_->port());
  EXPECT_EQ(client.Get(kTile, Bearer("t1")).status, 200);
  EXPECT_EQ(client.Get("/v1/worlds/test-1/tiles/0/1/0.png", Bearer("t1")).status, 504);
}

// The request was admitted. Before the server sends the tile, it checks the token again.
TEST_F(HttpAccessTest, ARequestOfARevokedTokenGetsNoTile) {
  const std::string rest = LineOf("other", "t2", "read");
  for (const char* extension : {"tlw", "png", "png?size=512"}) {
    Start(LineOf("game", "t1", "read") + rest);
    (*server_)->device().Close();
    HttpClient waiting(server_->port());
    HttpClient other(server_->port());
    const std::string path = std::string("/v1/worlds/test-1/tiles/0/0/0.") + extension;
    waiting.Send(RequestOf("GET", path, Bearer("t1")));
    (*server_)->device().AwaitRunAtGate();
    other.Send(RequestOf("GET", path, Bearer("t2")));
    AwaitTrue([&] { return (*server_)->tiles().stats().joined >= 1; });
    folder_.Put("tokens", rest);
    *now_ += 1'000;
    HttpClient next(server_->port());
    EXPECT_EQ(next.Get("/v1/worlds", Bearer("t2")).status, 200);
    (*server_)->device().Open();
    const auto refused = waiting.Read();
    ASSERT_TRUE(refused);
    EXPECT_EQ(refused->status, 401) << extension;
    EXPECT_EQ(refused->Header("www-authenticate"), "Bearer");
    EXPECT_EQ(waiting.Get(path, Bearer("t1")).status, 401);
    // The other caller, who waits for the same tile, gets it.
    EXPECT_EQ(other.Read()->status, 200);
  }
}

// A request that waits for its budget is not at the device. Its token is checked too.
TEST_F(HttpAccessTest, ARevokedTokenThatWaitsForItsBudgetGetsNoTile) {
  http::HttpOptions http;
  // With one thread, a request that has begun is admitted before the next one is read.
  http.threads = 1;
  Start(LineOf("game", "t1", "read", 0, kTileCells) + LineOf("other", "t2", "read"), http);
  HttpClient client(server_->port());
  EXPECT_EQ(client.Get(kTile, Bearer("t1")).status, 200);
  client.Send(RequestOf("GET", "/v1/worlds/test-1/tiles/0/1/0.png", Bearer("t1")));
  AwaitTrue([&] { return listener_.begun() == 2; });
  folder_.Put("tokens", LineOf("other", "t2", "read"));
  *now_ += 1'000;
  HttpClient next(server_->port());
  EXPECT_EQ(next.Get("/v1/worlds", Bearer("t2")).status, 200);
  EXPECT_EQ(client.Read()->status, 401);
}

// New limits apply to new calls only. If this one failed, a web map would keep a hole.
TEST_F(HttpAccessTest, ARequestOfAChangedTokenGetsItsTile) {
  Start(LineOf("game", "t1", "read"));
  (*server_)->device().Close();
  HttpClient waiting(server_->port());
  waiting.Send(RequestOf("GET", kTile, Bearer("t1")));
  (*server_)->device().AwaitRunAtGate();
  folder_.Put("tokens", LineOf("game", "t1", "read", 100));
  *now_ += 1'000;
  HttpClient next(server_->port());
  EXPECT_EQ(next.Get("/v1/worlds", Bearer("t1")).status, 200);
  (*server_)->device().Open();
  EXPECT_EQ(waiting.Read()->status, 200);
}

TEST(HttpQueueTest, RequestsWaitForAFullQueue) {
  TestServerOptions options;
  options.max_requests = 4;
  WebServer server(std::move(options));
  server->device().Close();
  std::vector<std::unique_ptr<HttpClient>> clients;
  for (int k = 0; k < 8; ++k) {
    clients.push_back(std::make_unique<HttpClient>(server.port()));
    clients.back()->Send(
        RequestOf("GET", "/v1/worlds/test-1/tiles/0/" + std::to_string(k) + "/0.tlw"));
  }
  AwaitTrue([&] { return server->tiles().field_stats().requests_refused > 0; });
  server->device().Open();
  for (const auto& client : clients) EXPECT_EQ(client->Read()->status, 200);
}

class HttpTlsTest : public testing::Test {
 protected:
  void Start(bool ask_clients) {
    Put(authority_.Issue("server"));
    folder_.Put("clients", clients_.root());
    access::ReloadOptions reload;
    reload.interval = std::chrono::milliseconds(0);
    auto source =
        access::WatchTlsIdentity({.certificate = folder_.Path("cert"),
                                  .key = folder_.Path("key"),
                                  .client_ca = ask_clients ? folder_.Path("clients") : ""},
                                 reload);
    ASSERT_TRUE(source.ok()) << source.status();
    http::HttpOptions http;
    http.tls = *std::move(source);
    server_ = std::make_unique<WebServer>(TestServerOptions{}, http);
  }
  void Put(const access::TestCertificate& pair) const {
    folder_.Put("cert", pair.certificate);
    folder_.Put("key", pair.key);
  }
  using Session = std::unique_ptr<SSL_SESSION, access::Freed<SSL_SESSION_free>>;

  // The server's answer to a client that trusts `believed` and shows a certificate; empty if there
  // is no connection. Resumes `session`, if it is not null, and then replaces it.
  std::string GetOver(const access::TestAuthority& believed,
                      const access::TestCertificate& shown = {}, Session* session = nullptr,
                      int version = TLS1_3_VERSION) {
    boost::system::error_code error;
    asio::io_context io;
    asio::ssl::context context(asio::ssl::context::tls_client);
    SSL_CTX_set_max_proto_version(context.native_handle(), version);
    context.add_certificate_authority(asio::buffer(believed.root()));
    context.set_verify_mode(asio::ssl::verify_peer);
    if (!shown.key.empty()) {
      context.use_certificate_chain(asio::buffer(shown.certificate));
      context.use_private_key(asio::buffer(shown.key), asio::ssl::context::pem);
    }
    asio::ssl::stream<asio::ip::tcp::socket> stream(io, context);
    if (session != nullptr && *session != nullptr) {
      SSL_set_session(stream.native_handle(), session->get());
    }
    stream.lowest_layer().connect(
        {asio::ip::address_v4::loopback(), static_cast<std::uint16_t>(server_->port())}, error);
    if (!error) stream.handshake(asio::ssl::stream_base::client, error);
    if (error) return "";
    asio::write(
        stream,
        asio::buffer(RequestOf("GET", "/v1/worlds/test-1/tilejson.json", "Connection: close\r\n")),
        error);
    std::string answer;
    asio::read(stream, asio::dynamic_buffer(answer), error);
    resumed_ = SSL_session_reused(stream.native_handle()) == 1;
    if (session != nullptr) session->reset(SSL_get1_session(stream.native_handle()));
    // Without a proper shutdown, OpenSSL would drop the session.
    SSL_set_shutdown(stream.native_handle(), SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN);
    return answer;
  }

  const access::TestAuthority authority_;
  const access::TestAuthority clients_;
  const access::TemporaryFolder folder_;
  std::unique_ptr<WebServer> server_;
  // Whether the last answer came over a resumed session.
  bool resumed_ = false;
};

TEST_F(HttpTlsTest, TheServerProvesWhoItIsAndItsCertificateChanges) {
  Start(false);
  EXPECT_THAT(GetOver(authority_), HasSubstr("https://terrain.test/v1/worlds/"));
  EXPECT_EQ(GetOver(access::TestAuthority()), "");
  const access::TestAuthority next;
  Put(next.Issue("next"));
  EXPECT_THAT(GetOver(next), HasSubstr("HTTP/1.1 200 OK"));
  EXPECT_EQ(GetOver(authority_), "");
  Put({"garbage", "garbage"});
  EXPECT_THAT(GetOver(next), HasSubstr("HTTP/1.1 200 OK"));
}

TEST_F(HttpTlsTest, CallersMustShowACertificateIfAsked) {
  Start(true);
  EXPECT_EQ(GetOver(authority_), "");
  EXPECT_EQ(GetOver(authority_, access::TestAuthority().Issue("stranger")), "");
  EXPECT_THAT(GetOver(authority_, clients_.Issue("known")), HasSubstr("HTTP/1.1 200 OK"));
}

TEST_F(HttpTlsTest, SessionsAreResumedUntilTheFilesChange) {
  Start(true);
  for (const int version : {TLS1_2_VERSION, TLS1_3_VERSION}) {
    folder_.Put("clients", clients_.root());
    const access::TestCertificate known = clients_.Issue("known");
    Session session;
    EXPECT_THAT(GetOver(authority_, known, &session, version), HasSubstr("HTTP/1.1 200 OK"));
    for (int k = 0; k < 2; ++k) {
      EXPECT_THAT(GetOver(authority_, known, &session, version), HasSubstr("HTTP/1.1 200 OK"));
      EXPECT_TRUE(resumed_) << version;
    }
    // After a change, a client that is still trusted does a full handshake. Others get nothing.
    const access::TestAuthority next;
    folder_.Put("clients", clients_.root() + next.root());
    EXPECT_THAT(GetOver(authority_, known, &session, version), HasSubstr("HTTP/1.1 200 OK"));
    EXPECT_FALSE(resumed_) << version;
    folder_.Put("clients", next.root());
    EXPECT_EQ(GetOver(authority_, known, &session, version), "");
    EXPECT_THAT(GetOver(authority_, next.Issue("new"), nullptr, version),
                HasSubstr("HTTP/1.1 200 OK"));
  }
}

TEST_F(HttpTlsTest, UnencryptedCallersAreRefused) {
  Start(false);
  HttpClient plain(server_->port());
  plain.Send(RequestOf("GET", "/healthz"));
  EXPECT_FALSE(plain.Read());
}

// Map clients never ask again, so a world with a new seed waits for a place in the queue.
TEST(HttpWaitingTest, AWorldWithANewSeedWaitsInTheQueue) {
  CountingListener listener;
  TestServerOptions options;
  options.listeners = {&listener};
  http::HttpOptions http;
  http.threads = 1;
  WebServer server(std::move(options), http);
  calls::SharedWorkers& compilers = server->engine().workers->compilers;
  std::promise<void> release;
  const std::shared_future<void> released = release.get_future().share();
  // Two other clients occupy the threads. Then others fill the queue, each with one piece of work.
  std::uint64_t client = 1'000;
  const auto occupy = [&](std::function<void()> begin) {
    return compilers.Run(
        ++client, "test",
        [released, begin = std::move(begin)] {
          begin();
          released.wait();
          return absl::OkStatus();
        },
        [](const absl::Status&) {});
  };
  for (int thread = 0; thread < 2; ++thread) {
    std::promise<void> begun;
    ASSERT_TRUE(occupy([&begun] { begun.set_value(); }).ok());
    begun.get_future().wait();
  }
  while (occupy([] {}).ok()) {
  }
  HttpClient waiting(server.port());
  waiting.Send(RequestOf("GET", "/v1/worlds/test-1@7/tiles/0/0/0.png"));
  AwaitTrue([&] { return listener.begun() == 1; });
  // The server's only thread answers this after it has dispatched the request above.
  HttpClient other(server.port());
  EXPECT_EQ(other.Get("/v1/worlds/test-1").status, 200);
  release.set_value();
  const auto answer = waiting.Read();
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 200) << answer->body;
}

// The status of a request with this Host.
int StatusFor(const WebServer& server, const std::string& host, const std::string& path = kTile) {
  HttpClient client(server.port());
  client.Send("GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
  const auto answer = client.Read();
  if (!answer) return 0;
  if (answer->status == 421) {
    EXPECT_THAT(answer->body, HasSubstr("invalid Host: expected localhost, an address of this "));
    EXPECT_THAT(answer->body, HasSubstr("start the server with --http-url"));
  }
  return answer->status;
}

TEST(HttpHostTest, UnknownNamesForThisMachineAreRefused) {
  http::HttpOptions http;
  http.local_names_only = true;
  const WebServer server({}, http);
  for (const char* host : {"localhost", "LocalHost:8080", "a.localhost:1", "127.0.0.1",
                           "[0:0:0:0:0:0:0:1]:80", "127.9.8.7:65535", "[::1]", "[::1]:8080", ""}) {
    EXPECT_EQ(StatusFor(server, host), 200) << host;
  }
  for (const char* host :
       {"a.test", "a.test:8080", "localhost.a.test", "alocalhost", "127.0.0.1.a.test", "[::2]:8080",
        "[::1", "10.0.0.1:8080", "localhost:80:a.test", "localhost:80@a.test", "[localhost]",
        "[::1]a.test", "[::127.0.0.1]", "[::1%lo]", "localhost:80#a.test", "\"\\\r\nX-A: b"}) {
    for (const char* path : {kTile, "/", "/v1/worlds", "/healthz", "/metrics", "/nowhere"}) {
      EXPECT_EQ(StatusFor(server, host, path), 421) << host << path;
    }
  }
}

TEST(HttpHostTest, TheHostOfThePublicUrlIsAllowedWithAnyPort) {
  http::HttpOptions http;
  http.local_names_only = true;
  http.public_url = "https://Outside.test:444/terrain";
  const WebServer server({}, http);
  for (const char* host : {"outside.test", "OUTSIDE.test:444", "outside.test:8080", "localhost"}) {
    EXPECT_EQ(StatusFor(server, host), 200) << host;
  }
  for (const char* host : {"inside.test", "outside.test.a.test", "terrain"}) {
    EXPECT_EQ(StatusFor(server, host), 421) << host;
  }
}

TEST(HttpHostTest, OtherMachinesMayUseAnyName) {
  const WebServer server;
  EXPECT_EQ(StatusFor(server, "a.test"), 200);
}

}  // namespace
}  // namespace thalweg::service
