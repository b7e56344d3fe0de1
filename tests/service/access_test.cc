// Which calls the server admits, and how much each caller may use.
#include <gmock/gmock.h>
#include <google/protobuf/descriptor.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <thread>
#include <vector>

#include "tests/access/token_line.h"
#include "tests/service/raw_call.h"
#include "tests/service/raw_http2.h"
#include "tests/service/token_server.h"
#include "thalweg/client.h"

namespace thalweg::service {
namespace {

using access::LineOf;
using std::chrono::milliseconds;
using ::testing::HasSubstr;

constexpr double kTileCells = 65'536;

grpc::Status Get(TokenServer& server, const v1::GetTileRequest& request, const std::string& token) {
  grpc::ClientContext context;
  Show(context, token);
  v1::GetTileResponse response;
  return server->stub().GetTile(&context, request, &response);
}

struct Streamed {
  std::set<std::pair<std::int64_t, std::int64_t>> tiles;
  grpc::Status status;
};

Streamed Stream(TokenServer& server, const v1::StreamTilesRequest& request,
                const std::string& token) {
  grpc::ClientContext context;
  Show(context, token);
  const auto reader = server->stub().StreamTiles(&context, request);
  Streamed streamed;
  v1::StreamTilesResponse response;
  while (reader->Read(&response)) {
    const v1::TileKey& key = response.tile().key();
    streamed.tiles.emplace(key.x(), key.y());
  }
  streamed.status = reader->Finish();
  return streamed;
}

// Sends an empty request to every method of the contract, and returns the answers' codes.
std::vector<grpc::StatusCode> CodesOfAllMethods(const std::shared_ptr<grpc::Channel>& channel) {
  const auto* service =
      v1::GetWorldRequest::descriptor()->file()->FindServiceByName("TerrainService");
  EXPECT_GE(service->method_count(), 6);
  std::vector<grpc::StatusCode> codes;
  for (int k = 0; k < service->method_count(); ++k) {
    const std::string method = "/" + service->full_name() + "/" + service->method(k)->name();
    codes.push_back(RawCall(channel, method, "").status.error_code());
  }
  return codes;
}

TEST(AccessTest, EveryMethodRequiresAToken) {
  TokenServer server("");
  EXPECT_THAT(CodesOfAllMethods(server->channel()),
              testing::Each(grpc::StatusCode::UNAUTHENTICATED));
}

// The twin: without a tokens file, no method asks for a token.
TEST(AccessTest, WithoutATokensFileNoMethodRequiresAToken) {
  TestServer server;
  EXPECT_THAT(CodesOfAllMethods(server.channel()),
              testing::Each(testing::Ne(grpc::StatusCode::UNAUTHENTICATED)));
}

TEST(AccessTest, HealthAndReflectionAreOpen) {
  TokenServer server("");
  EXPECT_EQ(HealthOf(server->channel(), ""), 1);
  const std::string reflection = "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo";
  EXPECT_THAT(RawCall(server->channel(), reflection, "\x3a\x01*").message,
              HasSubstr("thalweg.v1.TerrainService"));
}

TEST(AccessTest, TokensMustBeKnownAndSentOnce) {
  TokenServer server(LineOf("game", "t1", "read"));
  EXPECT_TRUE(Get(server, TileRequestOf(0, 0, 0), "t1").ok());
  const grpc::Status missing = Get(server, TileRequestOf(0, 0, 0), "");
  EXPECT_EQ(missing.error_code(), grpc::StatusCode::UNAUTHENTICATED);
  EXPECT_THAT(missing.error_message(),
              HasSubstr("authorization is missing: expected 'Bearer TOKEN'"));
  const grpc::Status wrong = Get(server, TileRequestOf(0, 0, 0), "t2");
  EXPECT_EQ(wrong.error_code(), grpc::StatusCode::UNAUTHENTICATED);
  EXPECT_THAT(wrong.error_message(), testing::Not(HasSubstr("t2")));
  EXPECT_EQ(Stream(server, RectangleRequestOf(0, 0, 0, 2, 2), "t2").status.error_code(),
            grpc::StatusCode::UNAUTHENTICATED);

  v1::GetTileResponse response;
  grpc::ClientContext twice;
  Show(twice, "t1");
  Show(twice, "t1");
  EXPECT_EQ(server->stub().GetTile(&twice, TileRequestOf(0, 0, 0), &response).error_code(),
            grpc::StatusCode::UNAUTHENTICATED);
  grpc::ClientContext basic;
  basic.AddMetadata("authorization", "Basic t1");
  EXPECT_EQ(server->stub().GetTile(&basic, TileRequestOf(0, 0, 0), &response).error_code(),
            grpc::StatusCode::UNAUTHENTICATED);
  grpc::ClientContext lower;
  lower.AddMetadata("authorization", "bearer t1");
  EXPECT_TRUE(server->stub().GetTile(&lower, TileRequestOf(0, 0, 0), &response).ok());
}

TEST(AccessTest, NothingIsComputedForRefusedCallers) {
  TokenServer server(LineOf("game", "t1", "bake"));
  EXPECT_FALSE(Get(server, TileRequestOf(0, 0, 0), "").ok());
  EXPECT_EQ(Get(server, TileRequestOf(0, 0, 0), "t1").error_code(),
            grpc::StatusCode::PERMISSION_DENIED);
  EXPECT_TRUE(server->device().runs().empty());
}

TEST(AccessTest, BakesNeedTheirScope) {
  TokenServer server(LineOf("game", "t1", "read") + LineOf("farm", "t2", "read,bake"));
  v1::GetTileRequest tile = TileRequestOf(0, 0, 0);
  v1::StreamTilesRequest rectangle = RectangleRequestOf(0, 0, 0, 2, 2);
  tile.set_priority(v1::PRIORITY_PREFETCH);
  EXPECT_TRUE(Get(server, tile, "t1").ok());
  tile.set_priority(v1::PRIORITY_BAKE);
  rectangle.set_priority(v1::PRIORITY_BAKE);
  const grpc::Status refused = Get(server, tile, "t1");
  EXPECT_EQ(refused.error_code(), grpc::StatusCode::PERMISSION_DENIED);
  EXPECT_THAT(refused.error_message(),
              HasSubstr("expected the scope bake, which token 'game' does not have"));
  EXPECT_EQ(Stream(server, rectangle, "t1").status.error_code(),
            grpc::StatusCode::PERMISSION_DENIED);
  EXPECT_TRUE(Get(server, tile, "t2").ok());
  EXPECT_TRUE(Stream(server, rectangle, "t2").status.ok());
}

TEST(AccessTest, TokensCanBeAddedAndRemovedWhileTheServerRuns) {
  TokenServer server(LineOf("a", "t1", "read"));
  EXPECT_TRUE(Get(server, TileRequestOf(0, 0, 0), "t1").ok());
  server.PutTokens(LineOf("b", "t2", "read"));
  EXPECT_EQ(Get(server, TileRequestOf(0, 0, 0), "t1").error_code(),
            grpc::StatusCode::UNAUTHENTICATED);
  EXPECT_TRUE(Get(server, TileRequestOf(0, 0, 0), "t2").ok());
  server.PutTokens("garbage");
  EXPECT_TRUE(Get(server, TileRequestOf(0, 0, 0), "t2").ok());
}

// A session that is opened with a token. It sends nothing by itself.
class TokenSession {
 public:
  TokenSession(TokenServer& server, const std::string& token) {
    Show(context_, token);
    stream_ = server->stub().Session(&context_);
    v1::SessionRequest open;
    open.mutable_open()->set_world("test-1");
    v1::SessionResponse opened;
    EXPECT_TRUE(stream_->Write(open) && stream_->Read(&opened));
  }
  ~TokenSession() {
    context_.TryCancel();
    if (!finished_) stream_->Finish();
  }
  // Whether the session still answers.
  bool IsOpen() {
    v1::SessionRequest request;
    request.mutable_want()->add_keys()->set_level(99);
    v1::SessionResponse response;
    return stream_->Write(request) && stream_->Read(&response) && response.has_failed();
  }
  // The answer to a want of a tile of level 0.
  v1::SessionResponse Want(std::int64_t x) {
    v1::SessionRequest credit;
    credit.mutable_credit()->set_tiles(1);
    credit.mutable_credit()->set_bytes(1 << 20);
    v1::SessionRequest want;
    want.mutable_want()->add_keys()->set_x(x);
    v1::SessionResponse response;
    EXPECT_TRUE(stream_->Write(credit) && stream_->Write(want) && stream_->Read(&response));
    return response;
  }
  // Waits for its end.
  grpc::Status Finish() {
    finished_ = true;
    v1::SessionResponse response;
    while (stream_->Read(&response)) continue;
    return stream_->Finish();
  }

 private:
  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReaderWriter<v1::SessionRequest, v1::SessionResponse>> stream_;
  bool finished_ = false;
};

TEST(RevokedTest, SessionsEndWithTheirToken) {
  const std::string stays = LineOf("b", "t2", "read");
  TokenServer server(LineOf("a", "t1", "read") + stays);
  TokenSession gone(server, "t1");
  TokenSession there(server, "t2");
  server.PutTokens(stays);
  // A call makes the server read the tokens file again.
  EXPECT_TRUE(Get(server, TileRequestOf(0, 0, 0), "t2").ok());
  const grpc::Status ended = gone.Finish();
  EXPECT_EQ(ended.error_code(), grpc::StatusCode::UNAUTHENTICATED);
  EXPECT_THAT(ended.error_message(), HasSubstr("no longer accepted here"));
  EXPECT_TRUE(there.IsOpen());
  AwaitTrue([&] { return server->sessions().open == 1; });
  // The token's line has changed: the client must open the session again under the new line.
  server.PutTokens(LineOf("b", "t2", "read,bake"));
  EXPECT_TRUE(Get(server, TileRequestOf(0, 0, 0), "t2").ok());
  EXPECT_EQ(there.Finish().error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_TRUE(TokenSession(server, "t2").IsOpen());
}

TEST(RevokedTest, StreamsEndWithTheirToken) {
  const std::string stays = LineOf("b", "t2", "read");
  TokenServer server(LineOf("a", "t1", "read") + stays);
  // Far away: none of the stream's tiles can be read from its ancestors' blocks.
  EXPECT_TRUE(Get(server, TileRequestOf(2, 99, 99), "t2").ok());
  server->device().Close();
  std::thread stream([&] {
    const Streamed streamed = Stream(server, RectangleRequestOf(0, 0, 0, 8, 8), "t1");
    EXPECT_EQ(streamed.status.error_code(), grpc::StatusCode::UNAUTHENTICATED);
    EXPECT_TRUE(streamed.tiles.empty());
  });
  AwaitTrue([&] { return server->tiles().stats().flights == 64; });
  server.PutTokens(stays);
  // This tile comes from the cache. The call makes the server read the tokens file again.
  EXPECT_TRUE(Get(server, TileRequestOf(2, 99, 99), "t2").ok());
  stream.join();
  AwaitTrue([&] { return server->tiles().stats().flights == 0; });
}

// Without calls, a thread of the server reads the tokens file again.
TEST(RevokedTest, IdleSessionsEndWithTheirToken) {
  TestServerOptions options;
  options.rpc.access_interval = std::chrono::milliseconds(1);
  TokenServer server(LineOf("a", "t1", "read"), std::move(options));
  TokenSession session(server, "t1");
  EXPECT_TRUE(session.IsOpen());
  server.PutTokens(LineOf("b", "t2", "read"));
  EXPECT_EQ(session.Finish().error_code(), grpc::StatusCode::UNAUTHENTICATED);
}

// gRPC ends no call by itself while a message waits for its caller.
TEST(RevokedTest, CallsThatNobodyReadsEndWithTheirToken) {
  TestServerOptions options;
  options.rpc.access_interval = std::chrono::milliseconds(1);
  options.rpc.limits.end_patience = std::chrono::milliseconds(1);
  TokenServer server(LineOf("a", "t1", "read"), std::move(options));
  RawHttp2 client(server->rpc().port());
  client.Begin(0);
  const Http2Headers token{{"authorization", "Bearer t1"}};
  v1::SessionRequest open;
  open.mutable_open()->set_world("test-1");
  client.Call(1, "/thalweg.v1.TerrainService/Session", token);
  client.Send(1, GrpcFrame(open.SerializeAsString()), false);
  client.Call(3, "/thalweg.v1.TerrainService/StreamTiles", token);
  client.Send(3, GrpcFrame(RectangleRequestOf(0, 0, 0, 2, 2).SerializeAsString()), true);
  ASSERT_TRUE(client.AwaitHeaders(1));
  ASSERT_TRUE(client.AwaitHeaders(3));
  server.PutTokens(LineOf("b", "t2", "read"));
  EXPECT_TRUE(client.AwaitEnd(1));
  EXPECT_TRUE(client.AwaitEnd(3));
  AwaitTrue([&] { return server->sessions().open == 0; });
}

TEST(LimitTest, TooManyCallsAreRefusedWithADelay) {
  TokenServer server(LineOf("game", "t1", "read", 2) + LineOf("other", "t2", "read", 2));
  EXPECT_TRUE(Get(server, TileRequestOf(0, 0, 0), "t1").ok());
  EXPECT_TRUE(Get(server, TileRequestOf(0, 0, 0), "t1").ok());
  const grpc::Status refused = Get(server, TileRequestOf(0, 0, 0), "t1");
  EXPECT_EQ(refused.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_GT(DelayOf(refused).count(), 0);
  EXPECT_TRUE(Get(server, TileRequestOf(0, 0, 0), "t2").ok());
  server.Pass(DelayOf(refused));
  EXPECT_TRUE(Get(server, TileRequestOf(0, 0, 0), "t1").ok());
}

TEST(LimitTest, OnlyGeneratedTilesCost) {
  // The budget is one tile a second.
  TokenServer server(LineOf("game", "t1", "read", 0, kTileCells));
  EXPECT_TRUE(Get(server, TileRequestOf(0, 0, 0), "t1").ok());
  // The first tile has used up the whole second: nothing is owed and nothing is left.
  const grpc::Status refused = Get(server, TileRequestOf(0, 1, 0), "t1");
  EXPECT_EQ(refused.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_THAT(refused.error_message(), HasSubstr("cells a second"));
  EXPECT_EQ(server->tiles().stats().tiles_encoded, 1U);
  for (int k = 0; k < 10; ++k) EXPECT_TRUE(Get(server, TileRequestOf(0, 0, 0), "t1").ok());
  server.Pass(DelayOf(refused));
  EXPECT_TRUE(Get(server, TileRequestOf(0, 1, 0), "t1").ok());
  EXPECT_EQ(server->tiles().stats().flights, 0U);
}

TEST(LimitTest, SessionsAreRefusedWithADelayInMilliseconds) {
  // The budget is a tenth of a tile a second.
  TokenServer server(LineOf("game", "t1", "read", 0, kTileCells / 10));
  TokenSession session(server, "t1");
  EXPECT_TRUE(session.Want(0).has_tile());
  const v1::SessionResponse refused = session.Want(1);
  ASSERT_TRUE(refused.has_failed());
  EXPECT_EQ(refused.failed().code(),
            static_cast<std::uint32_t>(absl::StatusCode::kResourceExhausted));
  // Nine tenths of a tile are owed.
  EXPECT_GE(refused.failed().retry_after_ms(), 9'000U);
}

TEST(LimitTest, JoiningAComputationIsFree) {
  TokenServer server(LineOf("a", "t1", "read", 0, kTileCells) +
                     LineOf("b", "t2", "read", 0, kTileCells));
  server->device().Close();
  std::thread first([&] { EXPECT_TRUE(Get(server, TileRequestOf(0, 0, 0), "t1").ok()); });
  AwaitTrue([&] { return server->tiles().stats().flights == 1; });
  std::thread second([&] { EXPECT_TRUE(Get(server, TileRequestOf(0, 0, 0), "t2").ok()); });
  AwaitTrue([&] { return server->tiles().stats().joined == 1; });
  server->device().Open();
  first.join();
  second.join();
  EXPECT_TRUE(Get(server, TileRequestOf(0, 1, 0), "t2").ok());
  EXPECT_FALSE(Get(server, TileRequestOf(0, 2, 0), "t1").ok());
}

// Every tile that is paid for is delivered, so that each repeated request gets further.
TEST(LimitTest, RepeatedStreamsMakeProgressDespiteTheLimit) {
  TokenServer server(LineOf("game", "t1", "read", 0, 3 * kTileCells));
  const v1::StreamTilesRequest request = RectangleRequestOf(0, 0, 0, 4, 4);
  Streamed streamed = Stream(server, request, "t1");
  std::size_t got = streamed.tiles.size();
  EXPECT_GE(got, 3U);
  EXPECT_LT(got, 16U);
  for (int rounds = 0; !streamed.status.ok(); ++rounds) {
    ASSERT_LT(rounds, 16);
    ASSERT_EQ(streamed.status.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
    ASSERT_GT(DelayOf(streamed.status).count(), 0);
    server.Pass(DelayOf(streamed.status));
    streamed = Stream(server, request, "t1");
    // The tiles in the cache, and at least one more.
    ASSERT_GT(streamed.tiles.size(), got);
    got = streamed.tiles.size();
  }
  EXPECT_EQ(got, 16U);
  EXPECT_EQ(server->tiles().stats().tiles_encoded, 16U);
}

// The library repeats refused requests by itself. It really waits, for some milliseconds.
TEST(LimitTest, TheLibraryWaitsAndContinues) {
  access::TemporaryFolder folder;
  auto control = access::AccessControl::OfFile(
      folder.Put("tokens", LineOf("game", "t1", "read", 0, 1'000 * kTileCells)));
  ASSERT_TRUE(control.ok()) << control.status();
  // Uses up the budget of one second.
  const access::CallerPointer caller = (*control)->CallerOf("t1", access::Scope::kRead, "").value();
  caller->ChargeCells(1'001 * 65'536);
  TestServerOptions options;
  options.access = *std::move(control);
  TestServer server(std::move(options));
  ClientOptions client_options;
  client_options.token = "t1";
  auto client = Client::Connect(server.address(), client_options);
  ASSERT_TRUE(client.ok()) << client.status();
  const auto region =
      (*client)->FetchRegion({.world = "test-1", .level = 0, .width = 1'000, .height = 1'000});
  ASSERT_TRUE(region.ok()) << region.status();
  EXPECT_EQ(region->tiles, 16);

  // The library does not wait if the wait would be long.
  caller->ChargeCells(3'600'000 * std::int64_t{65'536});
  const auto refused = (*client)->GetTile("test-1", {.level = 1, .x = 0, .y = 0});
  EXPECT_EQ(refused.status().code(), absl::StatusCode::kResourceExhausted) << refused.status();
}

TEST(LimitTest, RequestsHaveAMaxSize) {
  TestServerOptions options;
  options.rpc.limits.max_request_bytes = 1'000;
  TestServer server(std::move(options));
  v1::GetWorldRequest request;
  request.set_world(std::string(2'000, 'x'));
  grpc::ClientContext context;
  v1::GetWorldResponse response;
  EXPECT_EQ(server.stub().GetWorld(&context, request, &response).error_code(),
            grpc::StatusCode::RESOURCE_EXHAUSTED);
}

// A connection's calls beyond its limit wait until earlier ones have ended.
TEST(LimitTest, ConcurrentCallsOfAConnectionAreLimited) {
  TestServerOptions options;
  options.rpc.limits.max_calls_per_connection = 2;
  TestServer server(std::move(options));
  EXPECT_EQ(HealthOf(server.channel(), ""), 1);
  server.device().Close();
  std::vector<std::unique_ptr<PendingTile>> calls;
  for (int x = 0; x < 5; ++x) {
    calls.push_back(std::make_unique<PendingTile>(server, TileRequestOf(0, x, 0)));
  }
  AwaitTrue([&] { return server.tiles().stats().flights == 2; });
  server.device().AwaitRunAtGate();
  EXPECT_EQ(server.tiles().stats().flights, 2U);
  server.device().Open();
  for (const auto& call : calls) EXPECT_TRUE(call->Await().ok());
}

// When a connection has reached its maximum age, it is closed after its grace, with its calls.
TEST(LimitTest, ConnectionsEndAfterTheirMaxAge) {
  TestServerOptions options;
  options.rpc.max_connection_age = std::chrono::seconds(1);
  options.rpc.limits.connection_grace = std::chrono::seconds(1);
  TestServer server(std::move(options));
  server.device().Close();
  PendingTile call(server, TileRequestOf(0, 0, 0));
  EXPECT_EQ(call.Await().error_code(), grpc::StatusCode::UNAVAILABLE);
  server.device().Open();
  EXPECT_TRUE(PendingTile(server, TileRequestOf(0, 0, 0)).Await().ok());
}

}  // namespace
}  // namespace thalweg::service
