// Worlds that take long to create: the disk hangs, or a gate holds the compiler. All other calls
// are answered.
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <latch>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/access/temporary_folder.h"
#include "tests/field/test_world.h"
#include "tests/proto/base/watched_sync.h"
#include "tests/service/session_client.h"
#include "tests/service/test_server.h"
#include "tests/world/reseed_gate.h"

namespace thalweg::service {
namespace {

// More calls than gRPC has threads for callbacks.
constexpr int kCalls = 32;

void ExpectAlive(TestServer& server) {
  grpc::ClientContext context;
  v1::ListWorldsResponse list;
  const grpc::Status status = server.stub().ListWorlds(&context, {}, &list);
  EXPECT_TRUE(status.ok()) << status.error_message();
  PendingTile tile(server, TileRequestOf(0, 0, 0));
  EXPECT_TRUE(tile.Await().ok());
}

TEST(HeldWorldsTest, AHungDiskDelaysNobodyElse) {
  const access::TemporaryFolder folder;
  auto library = world::WorldLibrary::Open(folder.path());
  ASSERT_TRUE(library.ok()) << library.status();
  ASSERT_TRUE((*library)->Create(field::TestWorld()->spec(), {}, {.token = "test"}).ok());
  std::vector<std::unique_ptr<grpc::ClientContext>> contexts;
  std::vector<v1::CreateWorldRequest> requests(kCalls);
  std::vector<v1::CreateWorldResponse> responses(kCalls);
  std::atomic<int> answered = 0;
  TestServerOptions options;
  options.library = *std::move(library);
  std::latch released(1);
  const files::WatchedSync held([&](const std::filesystem::path& path) {
    if (path.string().starts_with(folder.path().string())) released.wait();
  });
  TestServer server(std::move(options));
  for (std::size_t n = 0; n < kCalls; ++n) {
    const std::string name = "held-" + std::to_string(n);
    *requests[n].mutable_spec() = field::TestWorld(3, static_cast<std::uint32_t>(n) + 100)->spec();
    requests[n].mutable_spec()->set_name(name);
    requests[n].set_keep(true);
    contexts.push_back(std::make_unique<grpc::ClientContext>());
    server.stub().async()->CreateWorld(contexts[n].get(), &requests[n], &responses[n],
                                       [&](const grpc::Status&) { ++answered; });
  }
  // If each of the calls held a thread, none would be left for these.
  for (int n = 0; n < 2 * kCalls; ++n) ExpectAlive(server);
  // A world's compilation does not wait for the disk.
  v1::GetTileRequest seeded = TileRequestOf(0, 0, 0);
  seeded.set_world("test-1@77");
  PendingTile tile(server, seeded);
  EXPECT_TRUE(tile.Await().ok());
  EXPECT_EQ(answered, 0);
  released.count_down();
  AwaitTrue([&] { return answered == kCalls; });
}

class HeldSeedsTest : public testing::Test {
 protected:
  static TestServerOptions Options(world::ReseedGate& gate) {
    TestServerOptions options;
    options.library = world::WorldLibrary::Of({field::TestWorld()}, {.reseed = gate.Reseed()});
    return options;
  }
  std::unique_ptr<PendingTile> AskSeed(int seed) {
    v1::GetTileRequest request = TileRequestOf(0, 0, 0);
    request.set_world("test-1@" + std::to_string(seed));
    return std::make_unique<PendingTile>(server_, request);
  }
  // Opens a stream of two tiles.
  std::unique_ptr<grpc::ClientReader<v1::StreamTilesResponse>> StreamSeed(
      int seed, grpc::ClientContext& context) {
    v1::StreamTilesRequest rectangle = RectangleRequestOf(0, 0, 0, 2, 1);
    rectangle.set_world("test-1@" + std::to_string(seed));
    return server_.stub().StreamTiles(&context, rectangle);
  }
  static v1::SessionRequest OpenSeed(int seed) {
    v1::SessionRequest request;
    request.mutable_open()->set_world("test-1@" + std::to_string(seed));
    return request;
  }

  world::ReseedGate gate_;
  TestServer server_{Options(gate_)};
};

TEST_F(HeldSeedsTest, AHungCompilerDelaysNobodyElse) {
  gate_.Close();
  std::vector<std::unique_ptr<PendingTile>> tiles;
  for (int seed = 1; seed <= kCalls; ++seed) tiles.push_back(AskSeed(100 + seed));
  gate_.AwaitCompiled(1);
  for (int n = 0; n < 2 * kCalls; ++n) ExpectAlive(server_);
  gate_.Open();
  for (const auto& tile : tiles) EXPECT_TRUE(tile->Await().ok());
  EXPECT_EQ(gate_.compiled(), kCalls);
}

// Every call that names a world waits for it, and is answered.
TEST_F(HeldSeedsTest, EveryCallWaitsForItsWorld) {
  gate_.Close();
  const auto tile = AskSeed(9);
  gate_.AwaitCompiled(1);
  grpc::ClientContext stream_context;
  const auto stream = StreamSeed(9, stream_context);
  SessionClient session(server_, nullptr);
  ASSERT_TRUE(session.Send(OpenSeed(9)));
  // Messages after the first one wait with it.
  session.Grant(100);
  session.Want({{0, 0, 0, 0}});
  std::thread unary([&] {
    grpc::ClientContext context;
    v1::SampleHeightsRequest request;
    request.set_world("test-1@9");
    request.add_east_m(1);
    request.add_south_m(1);
    v1::SampleHeightsResponse response;
    EXPECT_TRUE(server_.stub().SampleHeights(&context, request, &response).ok());
    grpc::ClientContext world_context;
    v1::GetWorldRequest world_request;
    world_request.set_world("test-1@9");
    v1::GetWorldResponse found;
    EXPECT_TRUE(server_.stub().GetWorld(&world_context, world_request, &found).ok());
    EXPECT_EQ(found.world().spec().seed(), 9U);
  });
  ExpectAlive(server_);
  gate_.Open();
  ASSERT_TRUE(tile->Await().ok());
  v1::StreamTilesResponse streamed;
  int count = 0;
  while (stream->Read(&streamed)) ++count;
  EXPECT_TRUE(stream->Finish().ok());
  EXPECT_EQ(count, 2);
  const std::vector<v1::Tile> tiles = session.ReadTiles(1);
  ASSERT_EQ(tiles.size(), 1U);
  EXPECT_EQ(tiles[0].world_id(), tile->tile().world_id());
  unary.join();
  EXPECT_EQ(gate_.compiled(), 1);
}

// Nothing is computed for calls that are cancelled.
TEST_F(HeldSeedsTest, CallsCanBeCancelledWhileTheyWait) {
  gate_.Close();
  const auto tile = AskSeed(9);
  gate_.AwaitCompiled(1);
  grpc::ClientContext stream_context;
  const auto stream = StreamSeed(9, stream_context);
  SessionClient session(server_, nullptr);
  ASSERT_TRUE(session.Send(OpenSeed(9)));
  tile->Cancel();
  stream_context.TryCancel();
  session.Cancel();
  EXPECT_EQ(tile->Await().error_code(), grpc::StatusCode::CANCELLED);
  EXPECT_EQ(stream->Finish().error_code(), grpc::StatusCode::CANCELLED);
  EXPECT_EQ(session.Finish().error_code(), grpc::StatusCode::CANCELLED);
  gate_.Open();
  const auto other = AskSeed(9);
  EXPECT_TRUE(other->Await().ok());
  EXPECT_EQ(gate_.compiled(), 1);
}

}  // namespace
}  // namespace thalweg::service
