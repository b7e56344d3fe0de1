#include "server/cache/shared/bounded_memory.h"

namespace thalweg::cache {
namespace {

void* Allocate(const memcached_st*, const std::size_t size, void*) {
  return size > kMostAllocatedBytes ? nullptr : std::malloc(size);
}

void Free(const memcached_st*, void* memory, void*) { std::free(memory); }

void* Reallocate(const memcached_st*, void* memory, const std::size_t size, void*) {
  return size > kMostAllocatedBytes ? nullptr : std::realloc(memory, size);
}

void* AllocateZeroed(const memcached_st*, std::size_t count, const std::size_t size, void*) {
  const bool too_large = size != 0 && count > kMostAllocatedBytes / size;
  return too_large ? nullptr : std::calloc(count, size);
}

}  // namespace

void BoundMemory(memcached_st* connection) {
  memcached_set_memory_allocators(connection, Allocate, Free, Reallocate, AllocateZeroed, nullptr);
}

}  // namespace thalweg::cache
