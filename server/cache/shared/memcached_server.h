// One memcached server: its connections, a time limit for calls, and a circuit breaker.
#pragma once

#include <chrono>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/cache/shared/circuit_breaker.h"
#include "server/cache/shared/tcp_socket.h"

namespace thalweg::cache {

struct MemcachedOptions {
  // Max time of a whole call, including its connection.
  std::chrono::milliseconds timeout{100};
  CircuitBreakerOptions breaker;
};

// Thread-safe; each call has its own connection. After an error the connection is closed, since a
// late answer would be read as that of the next call.
class MemcachedServer {
 public:
  MemcachedServer(wire::HostPort address, const MemcachedOptions& options);

  MemcachedServer(const MemcachedServer&) = delete;
  MemcachedServer& operator=(const MemcachedServer&) = delete;

  // Whether to call the server now. If true, exactly one of the calls below must follow.
  bool Allow() { return breaker_.Allow(); }

  // Empty if the server does not have the key; UNAVAILABLE if the server failed.
  absl::StatusOr<std::optional<std::string>> Get(std::string_view key);
  // RESOURCE_EXHAUSTED if the server has no room for the value; UNAVAILABLE if it failed.
  absl::Status Set(std::string_view key, std::string_view value);
  absl::Status Delete(std::string_view key);

  // HOST:PORT.
  const std::string& name() const { return name_; }
  // OK, or why the server is not called now.
  absl::Status health() const;

 private:
  using Call = absl::FunctionRef<absl::Status(TcpSocket& socket, Deadline deadline)>;

  // Makes a call and reports its outcome to the breaker.
  absl::Status Do(Call call);
  absl::StatusOr<TcpSocket> Take(Deadline deadline);
  absl::Status Failed(const absl::Status& status);

  const wire::HostPort address_;
  const MemcachedOptions options_;
  const std::string name_;
  CircuitBreaker breaker_;

  mutable std::mutex mutex_;
  std::vector<TcpSocket> idle_;
  absl::Status last_failure_;
};

}  // namespace thalweg::cache
