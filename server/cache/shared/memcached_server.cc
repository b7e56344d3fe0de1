#include "server/cache/shared/memcached_server.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/wire/invalid.h"
#include "proto/wire/status_macros.h"
#include "server/cache/shared/memcached_connection.h"

namespace thalweg::cache {

MemcachedServer::MemcachedServer(wire::HostPort address, const MemcachedOptions& options,
                                 std::function<Clock::time_point()> now)
    : address_(std::move(address)), options_(options), now_(std::move(now)) {}

MemcachedServer::~MemcachedServer() = default;

bool MemcachedServer::Allow() {
  const std::lock_guard lock(mutex_);
  if (failures_ < options_.breaker.failures) return true;
  if (probing_ || now_() < retry_at_) return false;
  probing_ = true;
  return true;
}

absl::StatusOr<std::optional<std::string>> MemcachedServer::Get(const std::string& key) {
  std::optional<std::string> value;
  THALWEG_RETURN_IF_ERROR(Do([&](MemcachedConnection& connection) -> absl::Status {
    THALWEG_ASSIGN_OR_RETURN(value, connection.Get(key));
    return absl::OkStatus();
  }));
  return value;
}

absl::Status MemcachedServer::Set(const std::string& key, const std::string& value) {
  return Do([&](MemcachedConnection& connection) { return connection.Set(key, value); });
}

absl::Status MemcachedServer::Delete(const std::string& key) {
  return Do([&](MemcachedConnection& connection) { return connection.Delete(key); });
}

absl::Status MemcachedServer::Do(absl::FunctionRef<absl::Status(MemcachedConnection&)> call) {
  const Deadline deadline = std::chrono::steady_clock::now() + options_.timeout;
  std::unique_ptr<MemcachedConnection> connection = TakeIdle();
  const absl::Status status = wire::Guarded("call", [&]() -> absl::Status {
    if (connection == nullptr) {
      THALWEG_ASSIGN_OR_RETURN(connection, MemcachedConnection::Connect(address_, deadline));
    }
    connection->set_deadline(deadline);
    return call(*connection);
  });
  if (!status.ok() && !absl::IsResourceExhausted(status)) return Failed(status);
  const std::lock_guard lock(mutex_);
  failures_ = 0;
  probing_ = false;
  // A server without room may close the connection, so it is not kept.
  if (status.ok()) idle_.push_back(std::move(connection));
  return status;
}

std::unique_ptr<MemcachedConnection> MemcachedServer::TakeIdle() {
  const std::lock_guard lock(mutex_);
  if (idle_.empty()) return nullptr;
  std::unique_ptr<MemcachedConnection> connection = std::move(idle_.back());
  idle_.pop_back();
  return connection;
}

absl::Status MemcachedServer::Failed(const absl::Status& status) {
  const std::lock_guard lock(mutex_);
  // The idle connections are broken like this one.
  idle_.clear();
  last_failure_ = absl::UnavailableError(
      absl::StrCat("memcached ", name(), ": ", std::string(status.message())));
  // Calls that began before the breaker opened may fail later; they do not prolong the pause.
  if (failures_ < options_.breaker.failures || probing_) {
    failures_ = std::min(failures_ + 1, options_.breaker.failures);
    retry_at_ = now_() + options_.breaker.pause;
  }
  probing_ = false;
  return last_failure_;
}

absl::Status MemcachedServer::health() const {
  const std::lock_guard lock(mutex_);
  return failures_ < options_.breaker.failures ? absl::OkStatus() : last_failure_;
}

}  // namespace thalweg::cache
