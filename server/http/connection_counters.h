// Counters of all HTTP connections.
#pragma once

#include <atomic>
#include <cstdint>

namespace thalweg::http {

struct ConnectionCounters {
  // Connections that were accepted, and those that are open now.
  std::atomic<std::uint64_t> begun = 0;
  std::atomic<std::int64_t> open = 0;
  // Connections, new or waiting, that were closed because there were too many: of an address, or of
  // all.
  std::atomic<std::uint64_t> crowded_out = 0;
};

}  // namespace thalweg::http
