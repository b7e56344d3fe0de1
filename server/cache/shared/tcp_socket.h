// A TCP connection whose operations end at a deadline.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "proto/wire/host_port.h"

namespace thalweg::cache {

// The end of a whole operation, however many packets it takes: a peer can't extend it by sending a
// byte now and then.
using Deadline = std::chrono::steady_clock::time_point;

// Not thread-safe. DEADLINE_EXCEEDED if the deadline has passed, UNAVAILABLE for other failures.
// After an error the connection can't be used.
class TcpSocket {
 public:
  // Tries each address of the host. The deadline does not limit the time to resolve its name.
  static absl::StatusOr<TcpSocket> Connect(const wire::HostPort& address, Deadline deadline);

  // Takes over the descriptor of a connected, non-blocking socket of any kind.
  static TcpSocket Of(int descriptor) { return TcpSocket(descriptor); }

  TcpSocket(TcpSocket&& other) noexcept;
  TcpSocket& operator=(TcpSocket&& other) noexcept;
  ~TcpSocket();

  absl::Status Send(std::string_view bytes, Deadline deadline);
  // The next line, without its "\r\n". A line with more than max_bytes is an error.
  absl::StatusOr<std::string> ReadLine(std::size_t max_bytes, Deadline deadline);
  absl::StatusOr<std::string> ReadBytes(std::size_t count, Deadline deadline);

  // Whether bytes have come that were not read.
  bool has_rest() const { return !received_.empty(); }

 private:
  explicit TcpSocket(int descriptor) : descriptor_(descriptor) {}

  // Waits until poll(2) reports one of these events.
  absl::Status Await(short events, Deadline deadline) const;
  absl::Status FinishConnecting(Deadline deadline) const;
  // Receives the bytes that have arrived: at least one, at most max_bytes.
  absl::Status Receive(std::size_t max_bytes, Deadline deadline);

  int descriptor_ = -1;
  std::string received_;
};

}  // namespace thalweg::cache
