// What all connections of HTTP did.
#pragma once

#include <atomic>
#include <cstdint>

namespace thalweg::http {

struct ConnectionCounters {
  // Connections that were let in, and those that have not ended.
  std::atomic<std::uint64_t> begun = 0;
  std::atomic<std::int64_t> open = 0;
  // Connections that were closed, new or waiting, because there were too many, of an address or in
  // all.
  std::atomic<std::uint64_t> crowded_out = 0;
};

}  // namespace thalweg::http
