#include "server/cache/shared/memcached_server.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/wire/status_macros.h"
#include "server/cache/shared/memcached_protocol.h"

namespace thalweg::cache {

MemcachedServer::MemcachedServer(wire::HostPort address, const MemcachedOptions& options)
    : address_(std::move(address)),
      options_(options),
      name_(wire::TextOf(address_)),
      breaker_(options.breaker) {}

absl::StatusOr<std::optional<std::string>> MemcachedServer::Get(std::string_view key) {
  std::optional<std::string> value;
  THALWEG_RETURN_IF_ERROR(Do([&](TcpSocket& socket, Deadline deadline) -> absl::Status {
    THALWEG_ASSIGN_OR_RETURN(value, MemcachedGet(socket, key, deadline));
    return absl::OkStatus();
  }));
  return value;
}

absl::Status MemcachedServer::Set(std::string_view key, std::string_view value) {
  return Do([&](TcpSocket& socket, Deadline deadline) {
    return MemcachedSet(socket, key, value, deadline);
  });
}

absl::Status MemcachedServer::Delete(std::string_view key) {
  return Do(
      [&](TcpSocket& socket, Deadline deadline) { return MemcachedDelete(socket, key, deadline); });
}

absl::Status MemcachedServer::Do(Call call) {
  const Deadline deadline = std::chrono::steady_clock::now() + options_.timeout;
  absl::StatusOr<TcpSocket> socket = Take(deadline);
  if (!socket.ok()) return Failed(socket.status());
  absl::Status status = call(*socket, deadline);
  if (!status.ok() && !absl::IsResourceExhausted(status)) return Failed(status);
  breaker_.Succeeded();
  // A server without room may close the connection, so it is not kept.
  if (!status.ok()) return status;
  const std::lock_guard lock(mutex_);
  idle_.push_back(*std::move(socket));
  return status;
}

absl::StatusOr<TcpSocket> MemcachedServer::Take(Deadline deadline) {
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      TcpSocket socket = std::move(idle_.back());
      idle_.pop_back();
      return socket;
    }
  }
  return TcpSocket::Connect(address_, deadline);
}

absl::Status MemcachedServer::Failed(const absl::Status& status) {
  breaker_.Failed();
  const std::lock_guard lock(mutex_);
  // The idle connections are broken like this one.
  idle_.clear();
  last_failure_ = absl::UnavailableError(
      absl::StrCat("memcached ", name_, ": ", std::string(status.message())));
  return last_failure_;
}

absl::Status MemcachedServer::health() const {
  if (breaker_.closed()) return absl::OkStatus();
  const std::lock_guard lock(mutex_);
  return last_failure_;
}

}  // namespace thalweg::cache
