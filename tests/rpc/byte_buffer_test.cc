#include "server/rpc/byte_buffer.h"

#include <grpcpp/support/slice.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "thalweg/v1/terrain.pb.h"

namespace thalweg::rpc {
namespace {

TEST(ByteBufferTest, WrapsTilesWithoutCopying) {
  auto bytes = std::make_shared<const std::string>(100'000, 'x');
  const std::weak_ptr<const std::string> watched = bytes;
  const char* const place = bytes->data();
  {
    const grpc::ByteBuffer buffer = WrapTile(std::move(bytes));
    std::vector<grpc::Slice> slices;
    ASSERT_TRUE(buffer.Dump(&slices).ok());
    ASSERT_EQ(slices.size(), 2U);
    EXPECT_EQ(reinterpret_cast<const char*>(slices[1].begin()), place);
    EXPECT_EQ(slices[1].size(), 100'000U);
    EXPECT_FALSE(watched.expired());
  }
  EXPECT_TRUE(watched.expired());
}

TEST(ByteBufferTest, AWrappedTileIsAResponse) {
  constexpr std::size_t kSizes[] = {1, 200, 100'000};
  for (const std::size_t size : kSizes) {
    v1::Tile tile;
    tile.set_world_id(std::string(size, 'w'));
    const std::string bytes = tile.SerializeAsString();
    const grpc::ByteBuffer buffer = WrapTile(std::make_shared<const std::string>(bytes));
    v1::GetTileResponse one;
    ASSERT_TRUE(ParseRequest(buffer, one).ok());
    EXPECT_EQ(one.tile().SerializeAsString(), bytes);
    v1::StreamTilesResponse streamed;
    ASSERT_TRUE(ParseRequest(buffer, streamed).ok());
    EXPECT_EQ(streamed.tile().SerializeAsString(), bytes);
  }
}

TEST(ByteBufferTest, ReadsRequestsInSeveralSlices) {
  v1::GetWorldRequest request;
  request.set_world("alpine");
  const std::string bytes = request.SerializeAsString();
  const grpc::Slice slices[] = {grpc::Slice(bytes.substr(0, 3)), grpc::Slice(bytes.substr(3))};
  v1::GetWorldRequest parsed;
  ASSERT_TRUE(ParseRequest(grpc::ByteBuffer(slices, 2), parsed).ok());
  EXPECT_EQ(parsed.world(), "alpine");
}

TEST(ByteBufferTest, RejectsInvalidMessages) {
  const grpc::Slice slice("\xff\xff\xff");
  v1::GetWorldRequest request;
  EXPECT_EQ(ParseRequest(grpc::ByteBuffer(&slice, 1), request).code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace thalweg::rpc
