// One memcached server: connections, time limits, and a breaker for when it fails.
#pragma once

#include <libmemcached/memcached.h>

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/cache/shared/circuit_breaker.h"

namespace thalweg::cache {

struct HostPort {
  std::string host;
  int port = 0;
};

struct MemcachedOptions {
  // For a connection, and for each wait for the server to read or write more.
  std::chrono::milliseconds timeout{50};
  CircuitBreakerOptions breaker;
};

struct FreeMemcached {
  void operator()(memcached_st* connection) const { memcached_free(connection); }
};
using MemcachedHandle = std::unique_ptr<memcached_st, FreeMemcached>;

// Thread-safe; each call has a connection to itself. One on which anything went wrong is closed,
// since what the server says later would be taken for the next call's answer.
class MemcachedServer {
 public:
  MemcachedServer(HostPort address, const MemcachedOptions& options);

  MemcachedServer(const MemcachedServer&) = delete;
  MemcachedServer& operator=(const MemcachedServer&) = delete;

  // Whether to call it now; true is followed by one call of those below.
  bool Allow() { return breaker_.Allow(); }

  // Nothing if it has none; UNAVAILABLE when the server failed.
  absl::StatusOr<std::optional<std::string>> Get(std::string_view key);
  // RESOURCE_EXHAUSTED when the server has no room for it; UNAVAILABLE when it failed.
  absl::Status Set(std::string_view key, std::string_view value);
  absl::Status Delete(std::string_view key);

  // HOST:PORT.
  const std::string& name() const { return name_; }
  // Why it is not called; OK while it is.
  absl::Status health() const;

 private:
  MemcachedHandle Take();
  // Files the outcome of a call, the connection with it.
  absl::Status Return(MemcachedHandle connection, const char* operation, memcached_return_t code);

  const HostPort address_;
  const MemcachedOptions options_;
  const std::string name_;
  CircuitBreaker breaker_;

  mutable std::mutex mutex_;
  std::vector<MemcachedHandle> idle_;
  absl::Status last_failure_;
};

}  // namespace thalweg::cache
