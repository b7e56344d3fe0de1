// Memory for libmemcached, which believes the length that a server names before the value comes.
#pragma once

#include <libmemcached/memcached.h>

#include <cstdlib>
#include <memory>

namespace thalweg::cache {

// An allocation of more bytes fails; memcached's items have 1 MiB.
inline constexpr std::size_t kMostAllocatedBytes = std::size_t{4} << 20;

// Lets the connection allocate no more than that at a time.
void BoundMemory(memcached_st* connection);

struct FreeBounded {
  void operator()(void* memory) const { std::free(memory); }
};
// What such a connection gave to its caller.
template <typename T>
using BoundedPtr = std::unique_ptr<T, FreeBounded>;

}  // namespace thalweg::cache
