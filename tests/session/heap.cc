#include "tests/session/heap.h"

#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::size_t> live_bytes = 0;

// Returns null without memory.
void* Allocate(std::size_t size) {
  void* const block = std::malloc(size);
  if (block != nullptr) live_bytes += malloc_usable_size(block);
  return block;
}

void Free(void* block) noexcept {
  live_bytes -= malloc_usable_size(block);
  std::free(block);
}

}  // namespace

// The operators for arrays call these. The nothrow one would too, but a sanitizer has its own. Our
// types need no special alignment.
void* operator new(std::size_t size) {
  if (void* const block = Allocate(size)) return block;
  throw std::bad_alloc();
}
void* operator new(std::size_t size, const std::nothrow_t& /*nothrow*/) noexcept {
  return Allocate(size);
}
void operator delete(void* block) noexcept { Free(block); }
void operator delete(void* block, std::size_t) noexcept { Free(block); }

namespace thalweg::session {

std::size_t LiveBytes() { return live_bytes; }

}  // namespace thalweg::session
