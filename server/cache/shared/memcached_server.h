// One memcached server: its connections, a time limit for calls, and a circuit breaker.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <cstddef>
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

// memcached's own limit for an item; larger values are not accepted.
inline constexpr std::size_t kMaxValueBytes = std::size_t{1} << 20;

// The end of a whole call, however many packets it takes: a peer can't extend it by sending a byte
// now and then.
using Deadline = std::chrono::steady_clock::time_point;

// A connection to memcached, whose calls end at a deadline: its text protocol, as far as a cache of
// tiles needs it (github.com/memcached/memcached, doc/protocol.txt). An answer that does not fit
// the request is an error: the peer may not be a memcached server. Keys have at most 250
// characters, none of them a space or a control character. DEADLINE_EXCEEDED if the deadline has
// passed, UNAVAILABLE for other failures. After an error the connection can't be used. Used by one
// thread at a time.
class MemcachedConnection {
 public:
  // Tries each address of the host. The deadline does not limit the time to resolve its name.
  // Throws if the system has no more descriptors.
  static absl::StatusOr<std::unique_ptr<MemcachedConnection>> Connect(const wire::HostPort& address,
                                                                      Deadline deadline);
  // Takes over the descriptor of a connected socket of any kind.
  static std::unique_ptr<MemcachedConnection> Of(int descriptor);

  MemcachedConnection(const MemcachedConnection&) = delete;
  MemcachedConnection& operator=(const MemcachedConnection&) = delete;

  // The end of the next call.
  void set_deadline(Deadline deadline) { deadline_ = deadline; }

  // The value; empty if the server does not have the key.
  absl::StatusOr<std::optional<std::string>> Get(const std::string& key);
  // RESOURCE_EXHAUSTED if the server reports that it has no room.
  absl::Status Set(const std::string& key, const std::string& value);
  // OK also if the server did not have the key.
  absl::Status Delete(const std::string& key);

 private:
  MemcachedConnection() = default;

  // Starts an operation of Asio with a handler for its end, and waits until it ends.
  template <typename Start>
  absl::Status Do(const char* operation, Start start);
  // Sends a request and takes the first line of the answer from what is received.
  absl::StatusOr<std::string> Ask(const std::string& request);

  boost::asio::io_context context_{1};
  boost::asio::ip::tcp::socket socket_{context_};
  Deadline deadline_;
  // Not empty after an answer: the peer has sent more than it should.
  std::string received_;
};

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
