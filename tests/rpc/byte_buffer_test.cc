#include "server/rpc/byte_buffer.h"

#include <grpcpp/support/slice.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "thalweg/v1/terrain.pb.h"

namespace thalweg::rpc {
namespace {

TEST(ByteBufferTest, WrapsWithoutCopying) {
  auto bytes = std::make_shared<const std::string>(100'000, 'x');
  const std::weak_ptr<const std::string> watched = bytes;
  const char* const place = bytes->data();
  {
    const grpc::ByteBuffer buffer = Wrap(std::move(bytes));
    grpc::Slice slice;
    ASSERT_TRUE(buffer.TrySingleSlice(&slice).ok());
    EXPECT_EQ(reinterpret_cast<const char*>(slice.begin()), place);
    EXPECT_EQ(slice.size(), 100'000U);
    EXPECT_FALSE(watched.expired());
  }
  EXPECT_TRUE(watched.expired());
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

TEST(ByteBufferTest, RejectsWhatIsNoMessage) {
  const grpc::Slice slice("\xff\xff\xff");
  v1::GetWorldRequest request;
  EXPECT_EQ(ParseRequest(grpc::ByteBuffer(&slice, 1), request).code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace thalweg::rpc
