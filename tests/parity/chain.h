// backend::Chain for tests: any error fails the calling test.
#pragma once

#include "gtest/gtest.h"
#include "server/backend/chain.h"

namespace thalweg::parity {

using backend::Vertices;

class Chain {
 public:
  Chain(backend::Backend& backend, std::vector<world::LevelProgram> programs, int block_cells,
        const backend::RunOptions& options = {})
      : chain_(backend, std::move(programs), block_cells, options) {}

  std::vector<std::int32_t> Read(int level, const Vertices& vertices,
                                 backend::Layer layer = backend::Layer::kHeight) {
    auto values = chain_.Read(level, vertices, layer);
    EXPECT_TRUE(values.ok()) << values.status();
    return values.ok() ? *std::move(values) : std::vector<std::int32_t>{};
  }

  std::shared_ptr<const backend::Block> Block(const world::BlockKey& key) {
    auto block = chain_.Block(key);
    EXPECT_TRUE(block.ok()) << block.status();
    return block.ok() ? *block : nullptr;
  }

  void ComputeTogether(const std::vector<world::BlockKey>& keys) {
    const absl::Status status = chain_.ComputeTogether(keys);
    ASSERT_TRUE(status.ok()) << status;
  }

 private:
  backend::Chain chain_;
};

}  // namespace thalweg::parity
