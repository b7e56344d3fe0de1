// One memcached server: its connections, a time limit for calls, and a circuit breaker.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "proto/wire/host_port.h"

namespace thalweg::cache {

class MemcachedConnection;

// Keeps callers away from a server that fails (Nygard, Release It!, 2007).
struct CircuitBreakerOptions {
  // The breaker opens after this number of failures in a row.
  int failures = 3;
  // How long it stays open before one caller may try again.
  std::chrono::milliseconds pause{5000};
};

struct MemcachedOptions {
  // Max time of a whole call, including its connection.
  std::chrono::milliseconds timeout{100};
  CircuitBreakerOptions breaker;
};

// Thread-safe; each call has its own connection. After an error the connection is closed, since a
// late answer would be read as that of the next call.
class MemcachedServer {
 public:
  using Clock = std::chrono::steady_clock;

  // now: the clock of the breaker.
  MemcachedServer(wire::HostPort address, const MemcachedOptions& options,
                  std::function<Clock::time_point()> now = &Clock::now);
  ~MemcachedServer();

  MemcachedServer(const MemcachedServer&) = delete;
  MemcachedServer& operator=(const MemcachedServer&) = delete;

  // Whether to call the server now. If true, exactly one of the calls below must follow. A closed
  // breaker lets all callers through, an open one none. After the pause it lets one through at a
  // time, until one succeeds.
  bool Allow();

  // Empty if the server does not have the key; UNAVAILABLE if the server failed.
  absl::StatusOr<std::optional<std::string>> Get(const std::string& key);
  // RESOURCE_EXHAUSTED if the server has no room for the value; UNAVAILABLE if it failed.
  absl::Status Set(const std::string& key, const std::string& value);
  absl::Status Delete(const std::string& key);

  // HOST:PORT.
  std::string name() const { return wire::TextOf(address_); }
  // OK, or why the breaker is open: from the failure that opened it until the next success.
  absl::Status health() const;

 private:
  // Makes a call and notes its outcome.
  absl::Status Do(absl::FunctionRef<absl::Status(MemcachedConnection& connection)> call);
  // An idle connection; null if there is none.
  std::unique_ptr<MemcachedConnection> TakeIdle();
  absl::Status Failed(const absl::Status& status);

  const wire::HostPort address_;
  const MemcachedOptions options_;
  const std::function<Clock::time_point()> now_;

  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<MemcachedConnection>> idle_;
  // The failures in a row, up to the number that opens the breaker, and the last one.
  int failures_ = 0;
  absl::Status last_failure_;
  // While the breaker is open: when a caller may try, and whether one is trying.
  Clock::time_point retry_at_;
  bool probing_ = false;
};

}  // namespace thalweg::cache
