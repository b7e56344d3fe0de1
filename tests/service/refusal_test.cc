// Invalid requests, and the errors that they get.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "proto/wire/tile_key.h"
#include "tests/field/test_world.h"
#include "tests/service/raw_call.h"
#include "tests/service/test_server.h"

namespace thalweg::service {
namespace {

using ::testing::HasSubstr;

class RefusalTest : public testing::Test {
 protected:
  void ExpectRefused(const v1::GetTileRequest& request, grpc::StatusCode code,
                     const std::string& message) {
    grpc::ClientContext context;
    v1::GetTileResponse response;
    const grpc::Status status = server_.stub().GetTile(&context, request, &response);
    EXPECT_EQ(status.error_code(), code) << status.error_message();
    EXPECT_THAT(status.error_message(), HasSubstr(message));
  }

  void ExpectRefused(const v1::StreamTilesRequest& request, grpc::StatusCode code,
                     const std::string& message) {
    grpc::ClientContext context;
    const auto reader = server_.stub().StreamTiles(&context, request);
    v1::StreamTilesResponse response;
    EXPECT_FALSE(reader->Read(&response));
    const grpc::Status status = reader->Finish();
    EXPECT_EQ(status.error_code(), code) << status.error_message();
    EXPECT_THAT(status.error_message(), HasSubstr(message));
  }

  TestServer server_;
};

TEST_F(RefusalTest, UnknownWorldsNameTheKnownOnes) {
  v1::GetTileRequest tile = TileRequestOf(0, 0, 0);
  tile.set_world("atlantis");
  ExpectRefused(tile, grpc::StatusCode::NOT_FOUND, "test-1");
  v1::StreamTilesRequest rectangle = RectangleRequestOf(0, 0, 0, 1, 1);
  rectangle.set_world("atlantis");
  ExpectRefused(rectangle, grpc::StatusCode::NOT_FOUND, "test-1");
  grpc::ClientContext context;
  v1::GetWorldRequest request;
  request.set_world("atlantis");
  v1::GetWorldResponse response;
  const grpc::Status status = server_.stub().GetWorld(&context, request, &response);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::NOT_FOUND);
  EXPECT_THAT(status.error_message(), HasSubstr("test-1"));
}

TEST_F(RefusalTest, KeysOutOfRangeNameTheRange) {
  constexpr std::int64_t kMaxTile = wire::kMaxVertex / wire::kTileCells;
  ExpectRefused(TileRequestOf(6, 0, 0), grpc::StatusCode::OUT_OF_RANGE,
                "invalid tile level: expected 0 to 5");
  ExpectRefused(TileRequestOf(0, kMaxTile, 0), grpc::StatusCode::OUT_OF_RANGE,
                "invalid tile x: expected ");
  ExpectRefused(RectangleRequestOf(0, kMaxTile - 4, 0, 5, 1), grpc::StatusCode::OUT_OF_RANGE,
                "invalid tile x: expected ");
}

TEST_F(RefusalTest, TooLargeRegionNamesTheLimit) {
  ExpectRefused(RectangleRequestOf(0, 0, 0, 65'537, 1), grpc::StatusCode::INVALID_ARGUMENT,
                "65536");
  ExpectRefused(RectangleRequestOf(0, 0, 0, 0, 1), grpc::StatusCode::INVALID_ARGUMENT, "65536");
}

TEST_F(RefusalTest, LayersAreChecked) {
  v1::GetTileRequest request = TileRequestOf(0, 0, 0);
  request.add_layers(v1::LAYER_FLOW);
  request.add_layers(v1::LAYER_FLOW);
  ExpectRefused(request, grpc::StatusCode::INVALID_ARGUMENT, "LAYER_FLOW");
  request.clear_layers();
  request.add_layers(static_cast<v1::Layer>(99));
  ExpectRefused(request, grpc::StatusCode::INVALID_ARGUMENT, "99");
}

TEST_F(RefusalTest, InvalidBytesAreRefused) {
  for (const char* method : {"GetTile", "StreamTiles", "GetWorld"}) {
    const RawAnswer answer = RawCall(
        server_.channel(), std::string("/thalweg.v1.TerrainService/") + method, "\xff\xff\xff\xff");
    EXPECT_FALSE(answer.status.ok()) << method;
  }
  EXPECT_EQ(RawCall(server_.channel(), "/thalweg.v1.TerrainService/GetTile", "\xff\xff")
                .status.error_code(),
            grpc::StatusCode::INVALID_ARGUMENT);
}

TEST_F(RefusalTest, RefusedRequestsComputeNothing) { EXPECT_TRUE(server_.device().runs().empty()); }

TEST(WorldsTest, AreListedAndFound) {
  TestServerOptions options;
  options.worlds = {field::TestWorld(6, 2), field::TestWorld(6, 1)};
  TestServer server(std::move(options));
  grpc::ClientContext list_context;
  v1::ListWorldsResponse list;
  ASSERT_TRUE(server.stub().ListWorlds(&list_context, {}, &list).ok());
  ASSERT_EQ(list.worlds_size(), 2);
  EXPECT_EQ(list.worlds(0).spec().name(), "test-1");
  EXPECT_EQ(list.worlds(1).spec().name(), "test-2");
  EXPECT_EQ(list.worlds(0).layers_size(), 10);
  EXPECT_EQ(list.worlds(0).max_vertex(), wire::kMaxVertex);

  for (const std::string& name : {std::string("test-1"), field::TestWorld(6, 1)->hex_id()}) {
    grpc::ClientContext context;
    v1::GetWorldRequest request;
    request.set_world(name);
    v1::GetWorldResponse response;
    ASSERT_TRUE(server.stub().GetWorld(&context, request, &response).ok()) << name;
    EXPECT_EQ(response.world().id(), list.worlds(0).id());
  }
}

TEST(ListenTest, SaysWhenThePortIsTaken) {
  TestServer server;
  const std::string address = "127.0.0.1:" + std::to_string(server.rpc().port());
  const auto second = rpc::RpcServer::Start(server.engine(), address);
  EXPECT_EQ(second.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(second.status().message()), HasSubstr(address));
}

}  // namespace
}  // namespace thalweg::service
