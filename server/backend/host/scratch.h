// The state of a block's windows while they are computed, in host memory.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "server/backend/host/buffers.h"

namespace thalweg::backend {

// The memory behind kernels::Buffers that belongs to one block at a time. It begins with whatever
// the block before left, as a device's does.
class Scratch {
 public:
  // Makes room for windows of side x side vertices.
  void Resize(std::size_t side, std::size_t windows);

  // The real land of the block, and the values that its windows inherit, unless they are read where
  // they are. To be filled in first.
  std::vector<int>& elevation() { return elevation_; }
  std::vector<int>& parent() { return parent_; }

  // The buffers; those of the world and of the result are left out.
  kernels::Buffers buffers();

 private:
  std::vector<int> height_;
  std::vector<int> start_;
  std::vector<kernels::uint> fraction_;
  std::vector<int> flow_;
  std::vector<kernels::uint> discharge_;
  std::vector<int> rate_;
  std::vector<int> layers_;
  // With a guard of a row and a vertex before and after, which kernels may read (GUARDED).
  std::size_t guard_ = 0;
  std::vector<kernels::uint64_t> movers_;
  std::vector<kernels::uint64_t> sums_;
  std::vector<int> elevation_;
  std::vector<int> parent_;
};

// Keeps scratches that are not in use: fresh memory costs a tenth of a block's time. Thread-safe.
class ScratchPool {
 public:
  explicit ScratchPool(std::size_t kept) : kept_(kept) {}

  std::unique_ptr<Scratch> Take(std::size_t side, std::size_t windows);
  void Return(std::unique_ptr<Scratch> scratch);

 private:
  const std::size_t kept_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Scratch>> free_;
};

}  // namespace thalweg::backend
