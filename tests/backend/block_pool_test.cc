#include "server/backend/vulkan/block_pool.h"

#include <algorithm>
#include <cstring>
#include <random>
#include <set>

#include "gtest/gtest.h"
#include "server/backend/vulkan/instance.h"

namespace thalweg::backend::vulkan {
namespace {

class BlockPoolTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto instance = Instance::Create(false, std::make_shared<MessageLog>());
    ASSERT_TRUE(instance.ok()) << instance.status();
    const auto chosen = Choose(Candidates(**instance), "vulkan");
    ASSERT_TRUE(chosen.ok()) << chosen.status();
    const auto device = Device::Create(*instance, chosen->physical, {});
    ASSERT_TRUE(device.ok()) << device.status();
    is_mapped_ = (*device)->traits().unified_memory;
    pool_ = BlockPool::Create(*device);
  }

  BlockMemory Take(std::size_t bytes) {
    auto memory = pool_->Take(bytes);
    EXPECT_TRUE(memory.ok()) << memory.status();
    return *std::move(memory);
  }

  static std::size_t Buffers(const std::vector<BlockMemory>& blocks) {
    std::set<vk::Buffer> buffers;
    for (const BlockMemory& block : blocks) buffers.insert(block.buffer());
    return buffers.size();
  }

  std::shared_ptr<BlockPool> pool_;
  bool is_mapped_ = false;
};

TEST_F(BlockPoolTest, ManyBlocksTakeFewAllocations) {
  std::vector<BlockMemory> blocks;
  for (int i = 0; i < 6000; ++i) blocks.push_back(Take(1 << 16));
  EXPECT_LE(Buffers(blocks), 60u);
}

TEST_F(BlockPoolTest, AFewBlocksWasteLittleMemory) {
  const std::size_t bytes = std::size_t{1} << 20;
  std::vector<BlockMemory> blocks;
  for (int i = 0; i < 4; ++i) blocks.push_back(Take(bytes));
  EXPECT_EQ(Buffers(blocks), 4u) << "a slot is empty, or two blocks share one";
}

TEST_F(BlockPoolTest, FreedMemoryIsReusedFirst) {
  std::vector<BlockMemory> blocks;
  for (int i = 0; i < 100; ++i) blocks.push_back(Take(1 << 16));
  const vk::Buffer buffer = blocks[40].buffer();
  const std::size_t offset = blocks[40].offset();
  { const BlockMemory given_back = std::move(blocks[40]); }
  const BlockMemory again = Take(1 << 16);
  EXPECT_EQ(again.buffer(), buffer);
  EXPECT_EQ(again.offset(), offset);
}

// Takes blocks and gives them back at random. What was written to a block must stay there.
TEST_F(BlockPoolTest, NoTwoBlocksShareBytes) {
  if (!is_mapped_) GTEST_SKIP() << "the CPU does not see this device's blocks";
  constexpr std::uint32_t kSeed = 7;
  SCOPED_TRACE(testing::Message() << "seed " << kSeed);
  std::mt19937 random(kSeed);
  struct Written {
    std::unique_ptr<BlockMemory> memory;
    std::size_t bytes = 0;
    std::uint8_t value = 0;
  };
  std::vector<Written> blocks;
  for (int i = 0; i < 2000; ++i) {
    if (blocks.size() > 100 || (!blocks.empty() && random() % 3 == 0)) {
      std::swap(blocks[random() % blocks.size()], blocks.back());
      const Written& last = blocks.back();
      const std::byte* const first = last.memory->mapped();
      ASSERT_TRUE(std::all_of(first, first + last.bytes,
                              [&](std::byte found) { return found == std::byte{last.value}; }))
          << "block " << i;
      blocks.pop_back();
      continue;
    }
    Written written;
    written.bytes = (1 + random() % 3) * 50'000;
    written.value = static_cast<std::uint8_t>(random());
    written.memory = std::make_unique<BlockMemory>(Take(written.bytes));
    std::memset(written.memory->mapped(), written.value, written.bytes);
    blocks.push_back(std::move(written));
  }
}

}  // namespace
}  // namespace thalweg::backend::vulkan
