// Other tests expect no message of the validation layer. These prove that its messages arrive.
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "server/backend/vulkan/buffer.h"
#include "server/backend/vulkan/commands.h"
#include "server/backend/vulkan/instance.h"

namespace thalweg::backend::vulkan {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class ValidationTest : public testing::Test {
 protected:
  void SetUp() override {
    auto instance = Instance::Create(/*validation=*/true, log_);
    ASSERT_TRUE(instance.ok()) << instance.status();
    auto chosen = Choose(Candidates(**instance), "vulkan");
    ASSERT_TRUE(chosen.ok()) << chosen.status();
    auto device = Device::Create(*instance, chosen->physical, Choices{});
    ASSERT_TRUE(device.ok()) << device.status();
    device_ = *device;
  }

  // Fills a buffer twice in one command buffer.
  void FillTwice(bool with_barrier) {
    const auto buffer = Buffer::Create(*device_, 4096, Access::kDevice);
    ASSERT_TRUE(buffer.ok()) << buffer.status();
    Commands commands(*device_);
    const vk::raii::CommandBuffer& recorded = commands.Begin();
    recorded.fillBuffer((*buffer)->handle(), 0, 4096, 1);
    if (with_barrier) Barrier(recorded, Work::kTransfer, Work::kTransfer);
    recorded.fillBuffer((*buffer)->handle(), 0, 4096, 2);
    commands.Submit();
    commands.Await();
  }

  const std::shared_ptr<MessageLog> log_ = std::make_shared<MessageLog>();
  std::shared_ptr<const Device> device_;
};

TEST_F(ValidationTest, IsSilentWhenAllIsWell) {
  FillTwice(/*with_barrier=*/true);
  EXPECT_THAT(log_->messages(), IsEmpty());
  EXPECT_TRUE(log_->status().ok());
}

TEST_F(ValidationTest, ReportsAMissingBarrier) {
  FillTwice(/*with_barrier=*/false);
  EXPECT_THAT(log_->messages(), Contains(HasSubstr("WRITE_AFTER_WRITE")));
  EXPECT_TRUE(absl::IsInternal(log_->status())) << log_->status();
}

TEST_F(ValidationTest, ReportsAnInvalidCall) {
  const vk::BufferCreateInfo empty({}, 0, vk::BufferUsageFlagBits::eStorageBuffer);
  (void)vk::raii::Buffer(device_->handle(), empty);
  EXPECT_THAT(log_->messages(), Contains(HasSubstr("VUID-VkBufferCreateInfo-size-00912")));
}

}  // namespace
}  // namespace thalweg::backend::vulkan
