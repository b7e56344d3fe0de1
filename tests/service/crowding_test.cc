// One caller uses all that it may. Others are still served.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/access/token_line.h"
#include "tests/field/test_world.h"
#include "tests/service/session_client.h"
#include "tests/service/token_server.h"

namespace thalweg::service {
namespace {

using access::LineOf;
using ::testing::HasSubstr;

// Streams that are open at the same time. Each asks for 64 tiles that no other one asks for.
class Streams {
 public:
  Streams(TokenServer& server, const std::string& token) : server_(server), token_(token) {}
  ~Streams() {
    for (Stream& stream : streams_) stream.context->TryCancel();
    for (Stream& stream : streams_) stream.reader->Finish();
  }

  void Open() {
    const auto x = static_cast<std::int64_t>(100 * (streams_.size() + 1));
    Stream& stream = streams_.emplace_back();
    Show(*stream.context, token_);
    stream.reader =
        server_->stub().StreamTiles(stream.context.get(), RectangleRequestOf(0, x, 0, 8, 8));
  }
  // Expects that the last stream gets no tile, and returns its status.
  grpc::Status FinishLast() {
    v1::StreamTilesResponse response;
    EXPECT_FALSE(streams_.back().reader->Read(&response));
    grpc::Status status = streams_.back().reader->Finish();
    streams_.pop_back();
    return status;
  }

 private:
  struct Stream {
    std::unique_ptr<grpc::ClientContext> context = std::make_unique<grpc::ClientContext>();
    std::unique_ptr<grpc::ClientReader<v1::StreamTilesResponse>> reader;
  };

  TokenServer& server_;
  const std::string token_;
  std::vector<Stream> streams_;
};

// A call for one tile, which runs beside the test.
class AskedTile {
 public:
  AskedTile(TokenServer& server, const std::string& token, std::int64_t x,
            const std::string& forwarded = "")
      : request_(TileRequestOf(0, x, 0)) {
    Show(context_, token);
    if (!forwarded.empty()) context_.AddMetadata("x-forwarded-for", forwarded);
    server->stub().async()->GetTile(&context_, &request_, &response_, [this](grpc::Status status) {
      status_ = std::move(status);
      done_ = true;
    });
  }
  ~AskedTile() {
    context_.TryCancel();
    Await();
  }
  bool is_done() const { return done_; }
  grpc::Status Await() {
    AwaitTrue([this] { return done_.load(); });
    return status_;
  }

 private:
  grpc::ClientContext context_;
  const v1::GetTileRequest request_;
  v1::GetTileResponse response_;
  grpc::Status status_;
  std::atomic<bool> done_ = false;
};

TEST(CrowdingTest, StreamsOfOneCallerLeaveRoomInTheQueueForOthers) {
  TestServerOptions options;
  // With less room for answers, the streams would not fill their part of the queue.
  options.answer_bytes = std::size_t{1} << 40;
  TokenServer server(LineOf("greedy", "t1", "read") + LineOf("other", "t2", "read"),
                     std::move(options));
  server->device().Close();
  Streams streams(server, "t1");
  for (int n = 0; n < 130; ++n) streams.Open();
  AwaitTrue([&] { return server->tiles().field_stats().requests_refused > 0; });
  const std::size_t waiting = server->tiles().field_stats().requests_waiting;
  AskedTile tile(server, "t2", -5);
  AwaitTrue(
      [&] { return tile.is_done() || server->tiles().field_stats().requests_waiting > waiting; });
  ASSERT_FALSE(tile.is_done()) << tile.Await().error_message();
  server->device().Open();
  EXPECT_TRUE(tile.Await().ok());
}

TEST(CrowdingTest, StreamsOfOneCallerLeaveRoomForTheAnswersOfOthers) {
  TestServerOptions options;
  options.answer_bytes = std::size_t{8} << 20;
  TokenServer server(LineOf("greedy", "t1", "read") + LineOf("other", "t2", "read"),
                     std::move(options));
  server->device().Close();
  Streams streams(server, "t1");
  for (int n = 0; n < 100; ++n) streams.Open();
  AwaitTrue([&] { return server->tiles().room()->waiting() > 0; });
  const std::size_t waiting = server->tiles().field_stats().requests_waiting;
  AskedTile tile(server, "t2", -5);
  AwaitTrue([&] { return server->tiles().field_stats().requests_waiting > waiting; });
  server->device().Open();
  EXPECT_TRUE(tile.Await().ok());
}

TEST(CrowdingTest, StreamsOfACallerAreLimited) {
  TestServerOptions options;
  options.access_limits = {.max_calls = 4, .max_streams = 2};
  const std::string tokens = LineOf("game", "t1", "read") + LineOf("other", "t2", "read");
  TokenServer server(tokens, std::move(options));
  server->device().Close();
  Streams streams(server, "t1");
  for (int n = 0; n < 2; ++n) streams.Open();
  AwaitTrue([&] { return server->tiles().stats().flights == 128; });
  streams.Open();
  const grpc::Status refused = streams.FinishLast();
  EXPECT_EQ(refused.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_THAT(refused.error_message(),
              HasSubstr("token 'game' has too many streams and sessions (max 2 at a time)"));
  EXPECT_GT(DelayOf(refused).count(), 0);
  // Two calls with one answer are still allowed. After them, a third is refused.
  AskedTile third(server, "t1", -1);
  AskedTile fourth(server, "t1", -2);
  AwaitTrue([&] { return server->tiles().stats().flights == 130; });
  AskedTile fifth(server, "t1", -3);
  EXPECT_EQ(fifth.Await().error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_THAT(fifth.Await().error_message(), HasSubstr("makes too many calls (max 4 at a time)"));
  AskedTile other(server, "t2", -3);
  AwaitTrue([&] { return server->tiles().stats().flights == 131; });
  server->device().Open();
  for (AskedTile* const tile : {&third, &fourth, &other}) EXPECT_TRUE(tile->Await().ok());
  // Calls that have ended no longer count, from a moment after their answers.
  AwaitTrue([&] { return AskedTile(server, "t1", -4).Await().ok(); });
}

// Callers without a token share no limits: each address has its own.
TEST(CrowdingTest, AddressesWithoutATokenHaveTheirOwnLimits) {
  TestServerOptions options;
  options.proxies = "127.0.0.0/8";
  TokenServer server("anonymous { scopes: READ calls_per_s: 2 cells_per_s: 65536 }",
                     std::move(options));
  EXPECT_TRUE(AskedTile(server, "", 0, "192.0.2.1").Await().ok());
  const grpc::Status cells = AskedTile(server, "", 1, "192.0.2.1").Await();
  EXPECT_EQ(cells.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_THAT(cells.error_message(), HasSubstr("cells a second"));
  const grpc::Status calls = AskedTile(server, "", 0, "203.0.113.5, 192.0.2.1").Await();
  EXPECT_EQ(calls.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_THAT(calls.error_message(), HasSubstr("makes too many calls (max 2 a second)"));
  const grpc::Status other = AskedTile(server, "", 1, "192.0.2.2").Await();
  EXPECT_TRUE(other.ok()) << other.error_message();
}

// The twin: a caller that is not a trusted proxy has one address, whatever its header says.
TEST(CrowdingTest, OnlyTrustedProxiesMayNameAnotherAddress) {
  TokenServer server("anonymous { scopes: READ calls_per_s: 2 }");
  EXPECT_TRUE(AskedTile(server, "", 0, "192.0.2.1").Await().ok());
  EXPECT_TRUE(AskedTile(server, "", 0, "192.0.2.2").Await().ok());
  EXPECT_EQ(AskedTile(server, "", 0, "192.0.2.3").Await().error_code(),
            grpc::StatusCode::RESOURCE_EXHAUSTED);
}

v1::SessionRequest CancelOf(int tiles) {
  v1::SessionRequest request;
  for (int n = 0; n < tiles; ++n) request.mutable_cancel()->add_keys();
  return request;
}

// Asks for a tile that does not exist, which is answered at once. False if the session has ended.
bool Ask(SessionClient& session) {
  v1::SessionRequest request;
  request.mutable_want()->add_keys()->set_face(1);
  return session.Send(request) && session.Read();
}

// If a caller sends too much, the server reads from it later, once the debt is paid. The clock
// stands still here, so the debt only grows.
TEST(CrowdingTest, ACallerThatSendsTooMuchIsReadLater) {
  TokenServer server(LineOf("chatty", "t1", "read") + LineOf("other", "t2", "read"));
  SessionClient chatty(server, "t1");
  SessionClient other(server, "t2");
  std::atomic<bool> answered = false;
  const std::jthread talking([&] {
    // Three times as much as a caller may send in a second.
    for (int n = 0; n < 180; ++n) {
      if (!chatty.Send(CancelOf(4'096))) return;
    }
    answered = Ask(chatty);
  });
  for (int n = 0; n < 2'000; ++n) ASSERT_TRUE(Ask(other));
  EXPECT_FALSE(answered);
  chatty.Cancel();
}

// The twin: as much as a caller may send in a second is read at once.
TEST(CrowdingTest, ACallerThatSendsLittleIsReadAtOnce) {
  TokenServer server(LineOf("quiet", "t1", "read"));
  SessionClient quiet(server, "t1");
  for (int n = 0; n < 40; ++n) EXPECT_TRUE(quiet.Send(CancelOf(4'096)));
  EXPECT_TRUE(Ask(quiet));
}

// A cold tile of level 4 is five blocks.
TEST(CrowdingTest, ADeepTilePaysForItsAncestors) {
  const auto world = field::CostlyWorld();
  const auto one_tile = static_cast<double>(world->level_costs()[4]);
  TestServerOptions options;
  options.worlds.push_back(world);
  TokenServer server(LineOf("game", "t1", "read", 0, 2 * one_tile), std::move(options));
  const auto get = [&](int level, std::int64_t x) {
    grpc::ClientContext context;
    Show(context, "t1");
    v1::GetTileResponse response;
    return server->stub().GetTile(&context, TileRequestOf(level, x, 0), &response);
  };
  EXPECT_TRUE(get(4, 0).ok());
  EXPECT_EQ(server->tiles().field_stats().blocks_computed, 5U);
  // About three tiles are owed, and the budget is two tiles a second.
  const grpc::Status refused = get(0, 50);
  EXPECT_EQ(refused.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_GE(DelayOf(refused), std::chrono::milliseconds(1'500));
  server.Pass(DelayOf(refused));
  EXPECT_TRUE(get(4, 1).ok());
  EXPECT_EQ(server->tiles().field_stats().blocks_computed, 6U);
}

}  // namespace
}  // namespace thalweg::service
