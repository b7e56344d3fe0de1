// One memcached server: its connections, a time limit for calls, and a circuit breaker.
#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/cache/shared/tcp_socket.h"

namespace thalweg::cache {

// Keeps callers away from a server that fails (Nygard, Release It!, 2007).
struct CircuitBreakerOptions {
  // The breaker opens after this number of failures in a row.
  int failures = 3;
  // How long it stays open before one caller may try again.
  std::chrono::milliseconds pause{5000};
};

// Thread-safe. A closed breaker lets all callers through, an open one none. After the pause it lets
// one through at a time, until one succeeds.
class CircuitBreaker {
 public:
  using Clock = std::chrono::steady_clock;

  explicit CircuitBreaker(const CircuitBreakerOptions& options,
                          std::function<Clock::time_point()> now = &Clock::now)
      : options_(options), now_(std::move(now)) {}

  // Whether to try. A caller that was let through must report the outcome by Succeeded or Failed.
  bool Allow();
  void Succeeded();
  void Failed();

  // False from the failure that opened it until the next success.
  bool closed() const;

 private:
  const CircuitBreakerOptions options_;
  const std::function<Clock::time_point()> now_;

  mutable std::mutex mutex_;
  int failures_ = 0;
  bool probing_ = false;
  Clock::time_point retry_at_;
};

// memcached's text protocol, as far as a cache of tiles needs it (github.com/memcached/memcached,
// doc/protocol.txt). An answer that does not fit the request is an error: the peer may not be a
// memcached server.

// memcached's own limit for an item; larger values are not accepted.
inline constexpr std::size_t kMaxValueBytes = std::size_t{1} << 20;

// Keys have at most 250 characters, none of them a space or a control character. Errors are those
// of the socket, UNAVAILABLE for an invalid answer, and, for Set, RESOURCE_EXHAUSTED if the server
// reports that it has no room. After an error the socket can't be used.

// The value; empty if the server does not have the key.
absl::StatusOr<std::optional<std::string>> MemcachedGet(TcpSocket& socket, std::string_view key,
                                                        Deadline deadline);
absl::Status MemcachedSet(TcpSocket& socket, std::string_view key, std::string_view value,
                          Deadline deadline);
// OK also if the server did not have the key.
absl::Status MemcachedDelete(TcpSocket& socket, std::string_view key, Deadline deadline);

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
