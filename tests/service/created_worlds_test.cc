// CreateWorld and DeleteWorld.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/access/token_line.h"
#include "tests/field/test_world.h"
#include "tests/service/token_server.h"

namespace thalweg::service {
namespace {

using access::LineOf;
using ::testing::HasSubstr;

const char kTokens[] = "anonymous { scopes: READ }\n";

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
                LineOf("bob", "t2", "create-worlds,read") + LineOf("root", "t3", "admin")) {}

  grpc::Status Create(const v1::CreateWorldRequest& request, const std::string& token,
                      v1::CreateWorldResponse* response = nullptr) {
    grpc::ClientContext context;
    Show(context, token);
    v1::CreateWorldResponse unread;
    return server_->stub().CreateWorld(&context, request, response == nullptr ? &unread : response);
  }
  grpc::Status Delete(const std::string& name, const std::string& token) {
    grpc::ClientContext context;
    Show(context, token);
    v1::DeleteWorldRequest request;
    request.set_world(name);
    v1::DeleteWorldResponse response;
    return server_->stub().DeleteWorld(&context, request, &response);
  }
  std::unique_ptr<PendingTile> Ask(const std::string& world) {
    v1::GetTileRequest request = TileRequestOf(0, 0, 0);
    request.set_world(world);
    return std::make_unique<PendingTile>(*server_, request);
  }

  TokenServer server_;
};

TEST_F(CreatedWorldsTest, HaveTiles) {
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
  ASSERT_TRUE(Delete("dales", "t1").ok());
  EXPECT_EQ(Ask("dales")->Await().error_code(), grpc::StatusCode::NOT_FOUND);
}

TEST_F(CreatedWorldsTest, NeedTheirScope) {
  EXPECT_EQ(Create(CreateOf("dales", 7), "").error_code(), grpc::StatusCode::PERMISSION_DENIED);
  EXPECT_EQ(Delete("test-1", "").error_code(), grpc::StatusCode::PERMISSION_DENIED);
  EXPECT_EQ(Create(CreateOf("dales", 7), "t9").error_code(), grpc::StatusCode::UNAUTHENTICATED);
}

TEST_F(CreatedWorldsTest, AreDeletedByOwnersAndAdministrators) {
  ASSERT_TRUE(Create(CreateOf("a", 7), "t1").ok());
  ASSERT_TRUE(Create(CreateOf("b", 8), "t1").ok());
  EXPECT_EQ(Delete("a", "t2").error_code(), grpc::StatusCode::PERMISSION_DENIED);
  EXPECT_TRUE(Delete("a", "t1").ok());
  EXPECT_TRUE(Delete("b", "t3").ok());
  EXPECT_EQ(Delete("test-1", "t3").error_code(), grpc::StatusCode::FAILED_PRECONDITION);
}

TEST_F(CreatedWorldsTest, AreRefusedWithTheFieldsPath) {
  v1::CreateWorldRequest request = CreateOf("dales", 7);
  request.mutable_spec()->set_levels(99);
  const grpc::Status refused = Create(request, "t1");
  EXPECT_EQ(refused.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_THAT(refused.error_message(), HasSubstr("levels is 99: must be 1 to 21"));
  EXPECT_EQ(Create(CreateOf("test-1", 7), "t1").error_code(), grpc::StatusCode::ALREADY_EXISTS);
  request = CreateOf("dales", 7);
  request.set_keep(true);
  EXPECT_EQ(Create(request, "t1").error_code(), grpc::StatusCode::FAILED_PRECONDITION);
}

// A request that has found its world keeps it to its end.
TEST_F(CreatedWorldsTest, LiveAsLongAsTheirRequests) {
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
  // Another of its name is another world.
  ASSERT_TRUE(Create(CreateOf("dales", 8), "t1").ok());
  server_->device().Open();
  EXPECT_TRUE(running->Await().ok());
  v1::Tile tile;
  int tiles = 0;
  while (reader->Read(&tile)) {
    EXPECT_EQ(tile.world_id(), running->tile().world_id());
    ++tiles;
  }
  EXPECT_TRUE(reader->Finish().ok());
  EXPECT_EQ(tiles, 81);
  const auto other = Ask("dales");
  ASSERT_TRUE(other->Await().ok());
  EXPECT_NE(other->tile().world_id(), running->tile().world_id());
}

}  // namespace
}  // namespace thalweg::service
