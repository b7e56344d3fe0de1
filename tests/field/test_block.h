// A block without contents, for tests that only count and name blocks.
#pragma once

#include <memory>

#include "server/field/block_store.h"

namespace thalweg::field {

class TestBlock : public backend::Block {
 public:
  explicit TestBlock(const backend::LayerSet& layers = {}, int block_cells = 256)
      : Block(world::BlockShape{block_cells, 0, 0}, layers, 1) {}
};

inline BlockPtr MakeTestBlock(const backend::LayerSet& layers = {}, int block_cells = 256) {
  return std::make_shared<TestBlock>(layers, block_cells);
}

}  // namespace thalweg::field
