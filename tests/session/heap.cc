#include "tests/session/heap.h"

#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::size_t> live_bytes = 0;

void* Allocate(std::size_t size) {
  void* const block = std::malloc(size);
  if (block == nullptr) throw std::bad_alloc();
  live_bytes += malloc_usable_size(block);
  return block;
}

void Free(void* block) noexcept {
  live_bytes -= malloc_usable_size(block);
  std::free(block);
}

}  // namespace

// The operators for arrays and the nothrow ones call these. Our types need no special alignment.
void* operator new(std::size_t size) { return Allocate(size); }
void operator delete(void* block) noexcept { Free(block); }
void operator delete(void* block, std::size_t) noexcept { Free(block); }

namespace thalweg::session {

std::size_t LiveBytes() { return live_bytes; }

}  // namespace thalweg::session
