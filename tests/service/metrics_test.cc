// A server's metrics, read over HTTP like Prometheus reads them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "server/metrics/server_families.h"
#include "tests/access/token_line.h"
#include "tests/service/session_client.h"
#include "tests/service/test_server.h"
#include "tests/service/token_server.h"

namespace thalweg::service {
namespace {

using access::LineOf;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

class MetricsTest : public testing::Test {
 protected:
  TestServerOptions Counted() {
    TestServerOptions options;
    options.listeners = {&calls_};
    return options;
  }
  // Adds a server's metrics. The server must live as long as the test reads them.
  void Count(TestServer& server) {
    const auto families =
        std::make_shared<metrics::ServerFamilies>(metrics::Sources{.rpc = &server.rpc(),
                                                                   .tiles = &server.tiles(),
                                                                   .memory = &server.cache(),
                                                                   .stores = &server.stores(),
                                                                   .sessions = &server.sessions(),
                                                                   .version = "1.2.3"});
    counted_ = {calls_.registry(), families};
  }
  std::string Read() const { return "\n" + metrics::TextOf(counted_); }
  // The value of the answer's line that begins with `name`; -1 if there is none.
  double Value(const std::string& name) const {
    const std::string text = Read();
    const std::string start = "\n" + name + " ";
    const std::size_t at = text.find(start);
    return at == std::string::npos ? -1 : std::stod(text.substr(at + start.size()));
  }
  double Calls(const std::string& method, const std::string& code) const {
    return Value("thalweg_rpc_calls_total{code=\"" + code + "\",method=\"" + method + "\"}");
  }

  metrics::CallMetrics calls_;
  metrics::Collectables counted_;
};

TEST_F(MetricsTest, CountsCallsBySizeAndEnd) {
  TestServer server(Counted());
  Count(server);
  EXPECT_EQ(Calls("GetTile", "OK"), 0);
  std::size_t bytes = 0;
  for (int k = 0; k < 3; ++k) {
    PendingTile tile(server, TileRequestOf(0, 0, 0));
    ASSERT_TRUE(tile.Await().ok());
    bytes = tile.tile().ByteSizeLong();
  }
  EXPECT_FALSE(PendingTile(server, TileRequestOf(9, 0, 0)).Await().ok());
  grpc::ClientContext context;
  const auto reader = server.stub().StreamTiles(&context, RectangleRequestOf(0, 0, 0, 2, 2));
  v1::StreamTilesResponse response;
  while (reader->Read(&response)) {
  }
  EXPECT_TRUE(reader->Finish().ok());

  EXPECT_EQ(Calls("GetTile", "OK"), 3);
  EXPECT_EQ(Calls("GetTile", "OUT_OF_RANGE"), 1);
  EXPECT_EQ(Calls("StreamTiles", "OK"), 1);
  EXPECT_EQ(Value("thalweg_rpc_call_seconds_count{method=\"GetTile\"}"), 4);
  EXPECT_EQ(Value("thalweg_rpc_response_bytes_count{method=\"GetTile\"}"), 3);
  EXPECT_EQ(Value("thalweg_rpc_response_bytes_sum{method=\"GetTile\"}"),
            3 * static_cast<double>(bytes));
  EXPECT_EQ(Value("thalweg_rpc_response_bytes_count{method=\"StreamTiles\"}"), 4);
  EXPECT_EQ(Value("thalweg_rpc_calls_running{method=\"GetTile\"}"), 0);
  // Of the lookups above, three found tile 0/0/0: two of GetTile and one of StreamTiles.
  EXPECT_EQ(Value("thalweg_cache_lookups_total{level=\"memory\",outcome=\"hit\"}"), 3);
  EXPECT_EQ(Value("thalweg_device_blocks_total{level=\"0\"}"), 4);
  EXPECT_EQ(Value("thalweg_tile_encode_seconds_count"), 4);
  EXPECT_GT(Value("thalweg_device_bytes"), 0);
}

TEST_F(MetricsTest, CountsRunningCalls) {
  TestServer server(Counted());
  Count(server);
  server.device().Close();
  PendingTile running(server, TileRequestOf(0, 0, 0));
  server.device().AwaitRunAtGate();
  EXPECT_EQ(Value("thalweg_rpc_calls_running{method=\"GetTile\"}"), 1);
  EXPECT_EQ(Value("thalweg_tiles_under_way"), 1);
  EXPECT_EQ(Value("thalweg_field_requests_waiting"), 1);
  running.Cancel();
  AwaitTrue([&] { return Calls("GetTile", "CANCELLED") == 1; });
  EXPECT_EQ(Value("thalweg_tiles_under_way"), 0);
}

TEST_F(MetricsTest, CountsSessionsThatWaitForCredit) {
  TestServer server(Counted());
  Count(server);
  {
    SessionClient client(server);
    client.Grant(2);
    client.Want({{0, 0, 0, 0}, {0, 0, 1, 0}, {0, 0, 2, 0}});
    client.ReadTiles(2);
    AwaitTrue([&] { return Value("thalweg_sessions_stalled") == 1; });
    EXPECT_EQ(Value("thalweg_session_credit_stalls_total"), 1);
    EXPECT_EQ(Value("thalweg_sessions_open"), 1);
    client.Grant(2);
    client.ReadTiles(1);
    AwaitTrue([&] { return Value("thalweg_sessions_stalled") == 0; });
  }
  AwaitTrue([&] { return Value("thalweg_sessions_open") == 0; });
  EXPECT_EQ(Value("thalweg_sessions_total"), 1);
  EXPECT_EQ(Value("thalweg_session_tiles_total{outcome=\"sent\"}"), 3);
  EXPECT_EQ(Value("thalweg_session_credit_stalls_total"), 1);
}

TEST_F(MetricsTest, ReadinessEndsWithTheDrain) {
  TestServer server(Counted());
  Count(server);
  EXPECT_EQ(Value("thalweg_ready"), 1);
  server.device().Close();
  PendingTile running(server, TileRequestOf(0, 0, 0));
  server.device().AwaitRunAtGate();
  std::thread drain([&] { server.rpc().Drain(std::chrono::hours(1)); });
  AwaitTrue([&] { return Value("thalweg_ready") == 0; });
  EXPECT_EQ(PendingTile(server, TileRequestOf(0, 1, 1)).Await().error_code(),
            grpc::StatusCode::UNAVAILABLE);
  EXPECT_EQ(Calls("GetTile", "UNAVAILABLE"), 1);
  server.device().Open();
  EXPECT_TRUE(running.Await().ok());
  drain.join();
  // The server stays not ready to the end.
  EXPECT_EQ(Value("thalweg_ready"), 0);
  EXPECT_EQ(Calls("GetTile", "OK"), 1);
}

TEST_F(MetricsTest, RevealsNothingAboutCallers) {
  TokenServer server(LineOf("the-name", "the-token", "read"), Counted());
  Count(*server);
  for (const std::string token : {"the-token", "the-stranger", ""}) {
    grpc::ClientContext context;
    Show(context, token);
    v1::ListWorldsResponse worlds;
    server->stub().ListWorlds(&context, {}, &worlds);
  }
  EXPECT_EQ(Calls("ListWorlds", "OK"), 1);
  EXPECT_EQ(Calls("ListWorlds", "UNAUTHENTICATED"), 2);
  EXPECT_THAT(Read(), AllOf(HasSubstr("thalweg_build_info{version=\"1.2.3\""),
                            Not(HasSubstr("the-")), Not(HasSubstr("127.0.0.1"))));
}

// Remembers how calls ended.
class Witness final : public calls::CallListener {
 public:
  void Began(calls::Method /*method*/) override {}
  void Sent(calls::Method /*method*/, std::size_t /*bytes*/) override {}
  void Ended(const calls::CallReport& report) override {
    const std::lock_guard lock(mutex_);
    ends_.push_back({std::string(report.id), std::string(report.token_name),
                     std::string(report.peer), report.status});
  }

  struct End {
    std::string id;
    std::string token_name;
    std::string peer;
    absl::Status status;
  };
  End last() const {
    const std::lock_guard lock(mutex_);
    return ends_.back();
  }

 private:
  mutable std::mutex mutex_;
  std::vector<End> ends_;
};

std::string IdOf(const grpc::ClientContext& context) {
  const auto& metadata = context.GetServerInitialMetadata();
  const auto found = metadata.find("x-request-id");
  return found == metadata.end() ? "" : std::string(found->second.data(), found->second.size());
}

TEST(RequestIdTest, IsTheCallersOrGeneratedAndIsReturned) {
  Witness witness;
  TestServerOptions options;
  options.listeners = {&witness};
  TokenServer server(LineOf("game", "t1", "read"), std::move(options));
  const auto call = [&](const std::string& id, const std::string& token) {
    grpc::ClientContext context;
    Show(context, token);
    if (!id.empty()) context.AddMetadata("x-request-id", id);
    v1::GetWorldResponse response;
    v1::GetWorldRequest request;
    request.set_world("nowhere");
    server->stub().GetWorld(&context, request, &response);
    return IdOf(context);
  };
  EXPECT_EQ(call("frame-17.a_B", "t1"), "frame-17.a_B");
  const Witness::End end = witness.last();
  EXPECT_EQ(end.id, "frame-17.a_B");
  EXPECT_EQ(end.token_name, "game");
  EXPECT_EQ(end.status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(end.peer, StartsWith("ipv4:127.0.0.1:"));
  const std::string first = call("", "t1");
  EXPECT_THAT(first, testing::MatchesRegex("[0-9a-f]{16}"));
  EXPECT_NE(call("", "t1"), first);
  EXPECT_THAT(call("a b", "t1"), testing::MatchesRegex("[0-9a-f]{16}"));
  // A refused call has an id too.
  EXPECT_EQ(call("mine", "wrong"), "mine");
  EXPECT_EQ(witness.last().id, "mine");
  EXPECT_THAT(witness.last().token_name, IsEmpty());
}

TEST(RequestIdTest, IsReturnedByStreamsAndSessions) {
  TestServer server;
  {
    grpc::ClientContext context;
    context.AddMetadata("x-request-id", "stream");
    const auto reader = server.stub().StreamTiles(&context, RectangleRequestOf(0, 0, 0, 1, 1));
    v1::StreamTilesResponse response;
    while (reader->Read(&response)) {
    }
    EXPECT_TRUE(reader->Finish().ok());
    EXPECT_EQ(IdOf(context), "stream");
  }
  grpc::ClientContext context;
  context.AddMetadata("x-request-id", "session");
  const auto stream = server.stub().Session(&context);
  stream->WritesDone();
  EXPECT_TRUE(stream->Finish().ok());
  EXPECT_EQ(IdOf(context), "session");
}

}  // namespace
}  // namespace thalweg::service
