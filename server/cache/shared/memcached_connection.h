// A connection to memcached, whose calls end at a deadline.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "proto/wire/host_port.h"

namespace thalweg::cache {

// memcached's own limit for an item; larger values are not accepted.
inline constexpr std::size_t kMaxValueBytes = std::size_t{1} << 20;

// The end of a whole call, however many packets it takes: a peer can't extend it by sending a byte
// now and then.
using Deadline = std::chrono::steady_clock::time_point;

// memcached's text protocol, as far as a cache of tiles needs it (github.com/memcached/memcached,
// doc/protocol.txt). An answer that does not fit the request is an error: the peer may not be a
// memcached server. Keys have at most 250 characters, none of them a space or a control character.
// DEADLINE_EXCEEDED if the deadline has passed, UNAVAILABLE for other failures. After an error the
// connection can't be used. Used by one thread at a time.
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

}  // namespace thalweg::cache
