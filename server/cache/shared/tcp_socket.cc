#include "server/cache/shared/tcp_socket.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/wire/status_macros.h"

namespace thalweg::cache {
namespace {

constexpr std::size_t kReceiveBytes = 65'536;

absl::Status SystemError(std::string_view operation, int error) {
  return absl::UnavailableError(
      absl::StrCat(std::string(operation), ": ", std::generic_category().message(error)));
}

struct FreeAddresses {
  void operator()(addrinfo* addresses) const { freeaddrinfo(addresses); }
};
using Addresses = std::unique_ptr<addrinfo, FreeAddresses>;

absl::StatusOr<Addresses> Resolve(const wire::HostPort& address) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICSERV;
  addrinfo* addresses = nullptr;
  const int error =
      getaddrinfo(address.host.c_str(), std::to_string(address.port).c_str(), &hints, &addresses);
  if (error != 0) return absl::UnavailableError(absl::StrCat("resolve: ", gai_strerror(error)));
  return Addresses(addresses);
}

}  // namespace

TcpSocket::TcpSocket(TcpSocket&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), received_(std::move(other.received_)) {}

TcpSocket& TcpSocket::operator=(TcpSocket&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(received_, other.received_);
  return *this;
}

TcpSocket::~TcpSocket() {
  if (descriptor_ >= 0) close(descriptor_);
}

absl::StatusOr<TcpSocket> TcpSocket::Connect(const wire::HostPort& address, Deadline deadline) {
  THALWEG_ASSIGN_OR_RETURN(const Addresses addresses, Resolve(address));
  absl::Status status = absl::UnavailableError("resolve: got no address");
  for (const addrinfo* one = addresses.get(); one != nullptr; one = one->ai_next) {
    TcpSocket socket(::socket(one->ai_family, one->ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    if (socket.descriptor_ < 0) return SystemError("connect", errno);
    // Each request is sent whole, so waiting to combine packets would only delay it.
    const int on = 1;
    setsockopt(socket.descriptor_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    if (connect(socket.descriptor_, one->ai_addr, one->ai_addrlen) == 0) return socket;
    status =
        errno == EINPROGRESS ? socket.FinishConnecting(deadline) : SystemError("connect", errno);
    if (status.ok()) return socket;
  }
  return status;
}

absl::Status TcpSocket::FinishConnecting(Deadline deadline) const {
  THALWEG_RETURN_IF_ERROR(Await(POLLOUT, deadline));
  int error = 0;
  socklen_t size = sizeof(error);
  getsockopt(descriptor_, SOL_SOCKET, SO_ERROR, &error, &size);
  return error == 0 ? absl::OkStatus() : SystemError("connect", error);
}

absl::Status TcpSocket::Await(short events, Deadline deadline) const {
  using std::chrono::milliseconds;
  while (true) {
    const auto left = deadline - std::chrono::steady_clock::now();
    if (left.count() <= 0) return absl::DeadlineExceededError("no answer in time");
    pollfd polled{.fd = descriptor_, .events = events, .revents = 0};
    const int ready =
        poll(&polled, 1, static_cast<int>(std::chrono::ceil<milliseconds>(left).count()));
    if (ready > 0) return absl::OkStatus();
    if (ready < 0 && errno != EINTR) return SystemError("poll", errno);
  }
}

absl::Status TcpSocket::Send(std::string_view bytes, Deadline deadline) {
  while (!bytes.empty()) {
    const ssize_t sent = send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    } else if (errno == EAGAIN) {
      THALWEG_RETURN_IF_ERROR(Await(POLLOUT, deadline));
    } else if (errno != EINTR) {
      return SystemError("send", errno);
    }
  }
  return absl::OkStatus();
}

absl::Status TcpSocket::Receive(std::size_t max_bytes, Deadline deadline) {
  const std::size_t before = received_.size();
  while (true) {
    // Checked before each read: else a peer that always has more bytes would never be late.
    THALWEG_RETURN_IF_ERROR(Await(POLLIN, deadline));
    received_.resize(before + max_bytes);
    const ssize_t count = recv(descriptor_, received_.data() + before, max_bytes, 0);
    const int error = errno;
    received_.resize(before + static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    if (count > 0) return absl::OkStatus();
    if (count == 0) return absl::UnavailableError("the server closed the connection");
    if (error != EAGAIN && error != EINTR) return SystemError("receive", error);
  }
}

absl::StatusOr<std::string> TcpSocket::ReadLine(std::size_t max_bytes, Deadline deadline) {
  while (true) {
    const std::size_t end = received_.substr(0, max_bytes + 2).find("\r\n");
    if (end != std::string::npos) {
      std::string line = received_.substr(0, end);
      received_.erase(0, end + 2);
      return line;
    }
    if (received_.size() >= max_bytes + 2) {
      return absl::UnavailableError(absl::StrCat("read line: more than ", max_bytes, " bytes"));
    }
    THALWEG_RETURN_IF_ERROR(Receive(kReceiveBytes, deadline));
  }
}

absl::StatusOr<std::string> TcpSocket::ReadBytes(std::size_t count, Deadline deadline) {
  while (received_.size() < count) {
    THALWEG_RETURN_IF_ERROR(Receive(std::max(count - received_.size(), kReceiveBytes), deadline));
  }
  std::string bytes = received_.substr(0, count);
  received_.erase(0, count);
  return bytes;
}

}  // namespace thalweg::cache
