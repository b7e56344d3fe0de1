// CreateWorld and DeleteWorld.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/access/token_line.h"
#include "tests/field/test_world.h"
#include "tests/service/session_client.h"
#include "tests/service/token_server.h"
#include "tests/session/sample_view.h"

namespace thalweg::service {
namespace {

using access::LineOf;
using session::SampleView;
using ::testing::HasSubstr;

const char kTokens[] = "anonymous { scopes: READ }\n";
constexpr std::size_t kSlots = 8;

v1::CreateWorldRequest CreateOf(const std::string& name, std::uint32_t seed) {
  v1::CreateWorldRequest request;
  *request.mutable_spec() = field::TestWorld(3, seed)->spec();
  request.mutable_spec()->set_name(name);
  return request;
}

class CreatedWorldsTest : public testing::Test {
 protected:
  CreatedWorldsTest()
      : server_(kTokens + LineOf("ann", "t1", "create-worlds,read") +
                    LineOf("bob", "t2", "create-worlds,read") + LineOf("root", "t3", "admin"),
                Options()) {}

  static TestServerOptions Options() {
    TestServerOptions options;
    options.library = world::WorldLibrary::Of({field::TestWorld()}, {.max_created = kSlots});
    return options;
  }

  grpc::Status Create(const v1::CreateWorldRequest& request, const std::string& token,
                      v1::CreateWorldResponse* response = nullptr) {
    grpc::ClientContext context;
    Show(context, token);
    v1::CreateWorldResponse unread;
    return server_->stub().CreateWorld(&context, request, response == nullptr ? &unread : response);
  }
  grpc::Status Delete(const std::string& name, const std::string& token, bool* gone = nullptr) {
    grpc::ClientContext context;
    Show(context, token);
    v1::DeleteWorldRequest request;
    request.set_world(name);
    v1::DeleteWorldResponse response;
    grpc::Status status = server_->stub().DeleteWorld(&context, request, &response);
    if (gone != nullptr) *gone = response.gone();
    return status;
  }
  std::unique_ptr<PendingTile> Ask(const std::string& world) {
    v1::GetTileRequest request = TileRequestOf(0, 0, 0);
    request.set_world(world);
    return std::make_unique<PendingTile>(*server_, request);
  }

  TokenServer server_;
};

// Anybody's GetWorld or ListWorlds would have to print it. gRPC itself reads no more than 100
// messages in each other.
TEST_F(CreatedWorldsTest, WorldsThatAreTooDeepAreRefused) {
  for (const auto& [sums, expected] :
       {std::pair(35, "the world nests more than 16 nodes deep"),
        std::pair(60, "the world nests more than 16 nodes deep"),
        std::pair(120, "the world nests more than 16 nodes deep"),
        std::pair(
            5000,
            "its bytes are not a thalweg.v1.CreateWorldRequest, or it nests more than 256")}) {
    v1::CreateWorldRequest request = CreateOf("deep", 7);
    v1::Node* node = request.mutable_spec()->mutable_base();
    for (int n = 0; n < sums; ++n) node = node->mutable_sum()->add_nodes();
    node->set_constant(1);
    const grpc::Status status = Create(request, "t1");
    EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT) << sums;
    EXPECT_THAT(status.error_message(), HasSubstr(expected)) << sums;
  }
}

TEST_F(CreatedWorldsTest, CreatedWorldsHaveTiles) {
  v1::CreateWorldResponse created;
  ASSERT_TRUE(Create(CreateOf("dales", 7), "t1", &created).ok());
  EXPECT_TRUE(created.created());
  EXPECT_EQ(created.world().spec().name(), "dales");
  EXPECT_EQ(created.world().id().size(), 16U);
  const auto tile = Ask("dales");
  ASSERT_TRUE(tile->Await().ok());
  EXPECT_EQ(tile->tile().world_id(), created.world().id());
  ASSERT_TRUE(Create(CreateOf("dales", 7), "t2", &created).ok());
  EXPECT_FALSE(created.created());
  bool gone = true;
  ASSERT_TRUE(Delete("dales", "t1", &gone).ok());
  EXPECT_FALSE(gone);
  EXPECT_TRUE(Ask("dales")->Await().ok());
  ASSERT_TRUE(Delete("dales", "t2", &gone).ok());
  EXPECT_TRUE(gone);
  EXPECT_EQ(Ask("dales")->Await().error_code(), grpc::StatusCode::NOT_FOUND);
}

TEST_F(CreatedWorldsTest, CreationNeedsItsScope) {
  EXPECT_EQ(Create(CreateOf("dales", 7), "").error_code(), grpc::StatusCode::PERMISSION_DENIED);
  EXPECT_EQ(Delete("test-1", "").error_code(), grpc::StatusCode::PERMISSION_DENIED);
  EXPECT_EQ(Create(CreateOf("dales", 7), "t9").error_code(), grpc::StatusCode::UNAUTHENTICATED);
}

TEST_F(CreatedWorldsTest, OwnersAndAdministratorsMayDelete) {
  ASSERT_TRUE(Create(CreateOf("a", 7), "t1").ok());
  ASSERT_TRUE(Create(CreateOf("b", 8), "t1").ok());
  EXPECT_EQ(Delete("a", "t2").error_code(), grpc::StatusCode::PERMISSION_DENIED);
  EXPECT_TRUE(Delete("a", "t1").ok());
  EXPECT_TRUE(Delete("b", "t3").ok());
  EXPECT_EQ(Delete("test-1", "t3").error_code(), grpc::StatusCode::FAILED_PRECONDITION);
}

TEST_F(CreatedWorldsTest, ErrorsNameThePathOfTheField) {
  v1::CreateWorldRequest request = CreateOf("dales", 7);
  request.mutable_spec()->set_levels(99);
  const grpc::Status refused = Create(request, "t1");
  EXPECT_EQ(refused.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_THAT(refused.error_message(), HasSubstr("invalid levels: expected 1 to 21, got 99"));
  EXPECT_EQ(Create(CreateOf("test-1", 7), "t1").error_code(), grpc::StatusCode::ALREADY_EXISTS);
  request = CreateOf("dales", 7);
  request.set_keep(true);
  EXPECT_EQ(Create(request, "t1").error_code(), grpc::StatusCode::FAILED_PRECONDITION);
}

// A request keeps the world that it has found until the request ends.
TEST_F(CreatedWorldsTest, RequestsKeepTheirDeletedWorld) {
  ASSERT_TRUE(Create(CreateOf("dales", 7), "t1").ok());
  server_->device().Close();
  const auto running = Ask("dales");
  server_->device().AwaitRunAtGate();
  grpc::ClientContext context;
  v1::StreamTilesRequest rectangle = RectangleRequestOf(1, 0, 0, 9, 9);
  rectangle.set_world("dales");
  const auto reader = server_->stub().StreamTiles(&context, rectangle);
  AwaitTrue([&] { return server_->tiles().stats().flights > 64; });
  ASSERT_TRUE(Delete("dales", "t1").ok());
  // A new world with the same name is another world.
  ASSERT_TRUE(Create(CreateOf("dales", 8), "t1").ok());
  server_->device().Open();
  EXPECT_TRUE(running->Await().ok());
  v1::StreamTilesResponse response;
  int tiles = 0;
  while (reader->Read(&response)) {
    EXPECT_EQ(response.tile().world_id(), running->tile().world_id());
    ++tiles;
  }
  EXPECT_TRUE(reader->Finish().ok());
  EXPECT_EQ(tiles, 81);
  const auto other = Ask("dales");
  ASSERT_TRUE(other->Await().ok());
  EXPECT_NE(other->tile().world_id(), running->tile().world_id());
}

// New worlds of a token replace worlds of this token, never those of tokens that have fewer.
TEST_F(CreatedWorldsTest, WorldsMakeRoomForOthersOfTheSameToken) {
  ASSERT_TRUE(Create(CreateOf("ann", 7), "t1").ok());
  for (std::uint32_t n = 0; n < 2 * kSlots; ++n) {
    const grpc::Status created = Create(CreateOf("bob-" + std::to_string(n), 100 + n), "t2");
    ASSERT_TRUE(created.ok()) << created.error_message();
  }
  EXPECT_TRUE(Ask("ann")->Await().ok());
  EXPECT_EQ(Ask("bob-0")->Await().error_code(), grpc::StatusCode::NOT_FOUND);
  EXPECT_TRUE(Ask("bob-15")->Await().ok());
}

// If a world is removed while calls use it, they finish with it. If it is created again, it is the
// same world.
TEST_F(CreatedWorldsTest, RunningCallsKeepAnEvictedWorld) {
  ASSERT_TRUE(Create(CreateOf("dales", 7), "t1").ok());
  server_->device().Close();
  const auto running = Ask("dales");
  server_->device().AwaitRunAtGate();
  SessionClient session(*server_, nullptr);
  v1::SessionRequest open;
  open.mutable_open()->set_world("dales");
  ASSERT_TRUE(session.Send(open));
  ASSERT_TRUE(session.Read()->has_opened());
  for (std::uint32_t n = 0; n < kSlots; ++n) {
    ASSERT_TRUE(Create(CreateOf("other-" + std::to_string(n), 100 + n), "t1").ok());
  }
  EXPECT_EQ(Ask("dales")->Await().error_code(), grpc::StatusCode::NOT_FOUND);
  server_->device().Open();
  EXPECT_TRUE(running->Await().ok());
  session.Grant(100);
  session.Want({{0, 1, 1, 0}});
  const std::vector<v1::Tile> tiles = session.ReadTiles(1);
  ASSERT_EQ(tiles.size(), 1U);
  EXPECT_EQ(tiles[0].world_id(), running->tile().world_id());
  v1::CreateWorldResponse again;
  ASSERT_TRUE(Create(CreateOf("dales", 7), "t1", &again).ok());
  EXPECT_TRUE(again.created());
  EXPECT_EQ(again.world().id(), running->tile().world_id());
}

// An active session keeps its world in use, although it looked the world up only once.
TEST_F(CreatedWorldsTest, ActiveSessionsKeepTheirWorldInUse) {
  ASSERT_TRUE(Create(CreateOf("dales", 7), "t1").ok());
  SessionClient session(*server_, nullptr);
  v1::SessionRequest open;
  open.mutable_open()->set_world("dales");
  ASSERT_TRUE(session.Send(open));
  ASSERT_TRUE(session.Read()->has_opened());
  session.Grant(1'000'000);
  for (std::uint32_t n = 0; n < 2 * kSlots; ++n) {
    ASSERT_TRUE(Create(CreateOf("other-" + std::to_string(n), 100 + n), "t1").ok());
    session.Look(SampleView(n + 1, 100.0 * n));
    ASSERT_FALSE(session.ReadUntil(IsSettled).empty());
  }
  EXPECT_TRUE(Ask("dales")->Await().ok());
}

// Otherwise a list of a few worlds could be larger than an answer that gRPC's clients accept.
TEST_F(CreatedWorldsTest, DescriptionsHaveAMaxLength) {
  v1::CreateWorldRequest request = CreateOf("dales", 7);
  request.mutable_spec()->set_description(std::string(200'000, 'd'));
  const grpc::Status refused = Create(request, "t1");
  EXPECT_EQ(refused.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_THAT(refused.error_message(),
              HasSubstr("invalid description: expected max 4096 bytes, got 200000"));
}

}  // namespace
}  // namespace thalweg::service
