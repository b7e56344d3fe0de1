// What a caller can do to a server before the server asks for its token.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <iterator>
#include <string>

#include "tests/neighbour/gzip_zeros.h"
#include "tests/service/memory.h"
#include "tests/service/raw_call.h"
#include "tests/service/raw_http2.h"
#include "tests/service/token_server.h"

namespace thalweg::service {
namespace {

using ::testing::HasSubstr;

constexpr std::size_t kMebibyte = std::size_t{1} << 20;
constexpr char kGetTile[] = "/thalweg.v1.TerrainService/GetTile";
constexpr char kGetWorld[] = "/thalweg.v1.TerrainService/GetWorld";
constexpr char kReflection[] = "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo";

int ThreadsOfThisProcess() {
  const std::filesystem::directory_iterator threads("/proc/self/task");
  return static_cast<int>(std::distance(begin(threads), end(threads)));
}

// A request that would be 512 MiB if it were inflated.
class CompressedRequestTest : public testing::TestWithParam<const char*> {
 protected:
  const std::string packed_ = neighbour::GzipOfZeros(512 * kMebibyte);
};

TEST_P(CompressedRequestTest, IsRefusedAndNeverInflated) {
  TokenServer server("");
  ASSERT_LT(packed_.size(), kMebibyte);
  RawHttp2 client(server->rpc().port());
  client.Begin();
  ResetPeak();
  const std::size_t before = PeakBytes();
  client.Call(1, GetParam(), {{"grpc-encoding", "gzip"}});
  client.Send(1, GrpcFrame(packed_, true), true);
  EXPECT_TRUE(client.AwaitEnd(1));
  EXPECT_THAT(client.HeadersOf(1), HasSubstr("Compression algorithm 'gzip' is disabled"));
  if (kMemoryIsItsOwn) {
    EXPECT_LT(PeakBytes() - before, 64 * kMebibyte);
  }
  EXPECT_EQ(HealthOf(server->channel(), ""), 1);
}

INSTANTIATE_TEST_SUITE_P(Methods, CompressedRequestTest,
                         testing::Values(kGetTile, kGetWorld, kReflection,
                                         "/grpc.health.v1.Health/Check"),
                         [](const auto& method) {
                           const std::string path = method.param;
                           return path.substr(path.rfind('/') + 1);
                         });

// The twin: the measured peak includes memory that is free again.
TEST(MemoryTest, ThePeakIncludesFreedMemory) {
  ResetPeak();
  const std::size_t before = PeakBytes();
  {
    const std::string touched(256 * kMebibyte, 'x');
    EXPECT_EQ(touched.back(), 'x');
  }
  // Less than 256 MiB: other memory may have been freed meanwhile.
  EXPECT_GE(PeakBytes() - before, 250 * kMebibyte);
}

// What ordinary clients do if they compress their requests.
TEST(BeforeAdmissionTest, CompressedRequestsAreUnimplemented) {
  TestServer server;
  for (const auto algorithm : {GRPC_COMPRESS_GZIP, GRPC_COMPRESS_DEFLATE}) {
    v1::GetTileRequest request = TileRequestOf(0, 0, 0);
    request.set_world(std::string(1'000, 'x'));
    grpc::ClientContext context;
    context.set_compression_algorithm(algorithm);
    v1::GetTileResponse response;
    const grpc::Status refused = server.stub().GetTile(&context, request, &response);
    EXPECT_EQ(refused.error_code(), grpc::StatusCode::UNIMPLEMENTED) << refused.error_message();
    EXPECT_THAT(refused.error_message(), HasSubstr("is disabled"));

    grpc::ClientContext session_context;
    session_context.set_compression_algorithm(algorithm);
    const auto session = server.stub().Session(&session_context);
    v1::SessionRequest open;
    open.mutable_open()->set_world(std::string(1'000, 'x'));
    session->Write(open);
    EXPECT_EQ(session->Finish().error_code(), grpc::StatusCode::UNIMPLEMENTED);
  }
  // The connection still works.
  EXPECT_TRUE(PendingTile(server, TileRequestOf(0, 0, 0)).Await().ok());
}

// A message with the mark "compressed", in a call that names no algorithm, is not a valid request.
TEST(BeforeAdmissionTest, ACompressedMessageWithoutAnAlgorithmIsRefused) {
  TestServer server;
  for (const char* method : {kGetTile, kGetWorld}) {
    RawHttp2 client(server.rpc().port());
    client.Begin();
    client.Call(1, method);
    client.Send(1, GrpcFrame("\xff\xff\xff", true), true);
    EXPECT_TRUE(client.AwaitEnd(1));
    EXPECT_THAT(client.HeadersOf(1), HasSubstr("grpc-status"));
    EXPECT_THAT(client.HeadersOf(1), testing::Not(HasSubstr("grpc-status\x01"
                                                            "0")));
  }
  EXPECT_EQ(HealthOf(server.channel(), ""), 1);
}

// How much memory 200 unfinished calls of one caller take, each with a mebibyte.
std::size_t BytesOfHalfRequests(std::size_t max_memory_bytes) {
  TestServerOptions options;
  options.rpc.max_memory_bytes = max_memory_bytes;
  options.rpc.limits.max_calls_per_connection = 200;
  TokenServer server("", std::move(options));
  std::string half = GrpcFrame(std::string(kMebibyte - 1, 'x'));
  half.pop_back();
  RawHttp2 client(server->rpc().port());
  client.Begin();
  ResetPeak();
  const std::size_t before = PeakBytes();
  for (std::uint32_t call = 0; call < 200; ++call) {
    client.Call(2 * call + 1, kGetTile);
    client.Send(2 * call + 1, half, false);
  }
  return PeakBytes() - before;
}

TEST(BeforeAdmissionTest, IncompleteRequestsHaveBoundedMemory) {
  if (!kMemoryIsItsOwn) GTEST_SKIP() << "the sanitizer's memory is more";
  EXPECT_LT(BytesOfHalfRequests(16 * kMebibyte), 100 * kMebibyte);
}

// The twin: without max_memory_bytes, they use more.
TEST(BeforeAdmissionTest, IncompleteRequestsTakeMoreMemoryWithoutABound) {
  EXPECT_GT(BytesOfHalfRequests(0), 150 * kMebibyte);
}

// Each call of gRPC's reflection holds a thread.
TEST(BeforeAdmissionTest, ReflectionUsesFewThreads) {
  TokenServer server("");
  EXPECT_EQ(HealthOf(server->channel(), ""), 1);
  const int before = ThreadsOfThisProcess();
  RawHttp2 client(server->rpc().port());
  client.Begin();
  // These calls are answered, but do not end.
  const std::string list_services = GrpcFrame("\x3a\x01*");
  std::uint32_t calls = 0;
  for (bool answered = true; answered && calls < 200; ++calls) {
    client.Call(2 * calls + 1, kReflection);
    client.Send(2 * calls + 1, list_services, false);
    answered = client.AwaitAnswer(2 * calls + 1);
  }
  EXPECT_LE(calls, 33U);
  EXPECT_THAT(client.HeadersOf(2 * calls - 1), HasSubstr("grpc-status\x01"
                                                         "8"));
  EXPECT_LE(ThreadsOfThisProcess() - before, 40);
  // Other callers need not wait.
  EXPECT_EQ(HealthOf(server->channel(), ""), 1);
  EXPECT_EQ(RawCall(server->channel(), kGetTile, "").status.error_code(),
            grpc::StatusCode::UNAUTHENTICATED);
}

TEST(BeforeAdmissionTest, SilentConnectionsAreClosed) {
  TestServerOptions options;
  options.rpc.limits.handshake_timeout = std::chrono::seconds(1);
  TestServer server(std::move(options));
  RawHttp2 silent(server.rpc().port());
  EXPECT_TRUE(silent.AwaitClose());
}

TEST(BeforeAdmissionTest, ConnectionsWithoutCallsAreClosed) {
  TestServerOptions options;
  options.rpc.limits.max_connection_idle = std::chrono::seconds(1);
  TestServer server(std::move(options));
  RawHttp2 idle(server.rpc().port());
  idle.Begin();
  EXPECT_TRUE(idle.AwaitClose());
  // A client whose connection was closed connects again by itself.
  EXPECT_TRUE(PendingTile(server, TileRequestOf(0, 0, 0)).Await().ok());
}

TEST(BeforeAdmissionTest, ConnectionsThatOnlyPingAreClosed) {
  TestServer server;
  RawHttp2 client(server.rpc().port());
  client.Begin();
  for (int n = 0; n < 10; ++n) client.Ping();
  EXPECT_TRUE(client.AwaitClose());
  constexpr std::uint32_t kEnhanceYourCalm = 11;
  EXPECT_EQ(client.goaway_error(), kEnhanceYourCalm);
}

// gRPC's default of 8 KiB is enough: callers send only a token and an id.
TEST(BeforeAdmissionTest, MetadataHasAMaxSize) {
  TestServer server;
  EXPECT_EQ(HealthOf(server.channel(), ""), 1);
  grpc::ClientContext context;
  context.AddMetadata("x", std::string(20'000, 'x'));
  v1::ListWorldsResponse worlds;
  EXPECT_EQ(server.stub().ListWorlds(&context, {}, &worlds).error_code(),
            grpc::StatusCode::RESOURCE_EXHAUSTED);
}

}  // namespace
}  // namespace thalweg::service
