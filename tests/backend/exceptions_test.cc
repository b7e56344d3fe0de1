#include "server/backend/vulkan/exceptions.h"

#include <new>
#include <stdexcept>
#include <vulkan/vulkan.hpp>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace thalweg::backend::vulkan {
namespace {

template <typename Exception>
absl::Status Thrown(const Exception& exception) {
  return CatchExceptions("dig", [&]() -> absl::Status { throw exception; });
}

TEST(ExceptionsTest, TurnsExceptionsIntoStatuses) {
  EXPECT_TRUE(absl::IsUnavailable(Thrown(vk::DeviceLostError("x"))));
  EXPECT_TRUE(absl::IsResourceExhausted(Thrown(vk::OutOfDeviceMemoryError("x"))));
  EXPECT_TRUE(absl::IsResourceExhausted(Thrown(vk::OutOfHostMemoryError("x"))));
  EXPECT_TRUE(absl::IsResourceExhausted(Thrown(vk::TooManyObjectsError("x"))));
  EXPECT_TRUE(absl::IsResourceExhausted(Thrown(std::bad_alloc())));
  EXPECT_TRUE(absl::IsInternal(Thrown(vk::InitializationFailedError("x"))));
  EXPECT_TRUE(absl::IsInternal(Thrown(std::runtime_error("x"))));
}

TEST(ExceptionsTest, NamesTheOperation) {
  EXPECT_THAT(std::string(Thrown(std::runtime_error("rock")).message()),
              testing::AllOf(testing::StartsWith("dig: "), testing::HasSubstr("rock")));
}

TEST(ExceptionsTest, PassesResultsOn) {
  EXPECT_TRUE(CatchExceptions("dig", [] { return absl::OkStatus(); }).ok());
  EXPECT_TRUE(absl::IsAborted(CatchExceptions("dig", [] { return absl::AbortedError("no"); })));
}

}  // namespace
}  // namespace thalweg::backend::vulkan
