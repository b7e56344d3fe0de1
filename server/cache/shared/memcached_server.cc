#include "server/cache/shared/memcached_server.h"

#include <cstdlib>
#include <utility>

#include "absl/strings/str_cat.h"
#include "server/cache/shared/bounded_memory.h"

namespace thalweg::cache {
namespace {

// The server answered as one that works does.
bool Works(memcached_return_t code) {
  switch (code) {
    case MEMCACHED_SUCCESS:
    case MEMCACHED_NOTFOUND:
    case MEMCACHED_NOTSTORED:
    case MEMCACHED_E2BIG:
    case MEMCACHED_SERVER_MEMORY_ALLOCATION_FAILURE:
      return true;
    default:
      return false;
  }
}

}  // namespace

MemcachedServer::MemcachedServer(HostPort address, const MemcachedOptions& options)
    : address_(std::move(address)),
      options_(options),
      name_(absl::StrCat(address_.host, ":", address_.port)),
      breaker_(options.breaker) {}

absl::StatusOr<std::optional<std::string>> MemcachedServer::Get(std::string_view key) {
  MemcachedHandle connection = Take();
  std::size_t size = 0;
  std::uint32_t flags = 0;
  memcached_return_t code = MEMCACHED_SUCCESS;
  const BoundedPtr<char> bytes(
      memcached_get(connection.get(), key.data(), key.size(), &size, &flags, &code));
  std::optional<std::string> value;
  if (code == MEMCACHED_SUCCESS) value.emplace(bytes == nullptr ? "" : bytes.get(), size);
  const absl::Status status = Return(std::move(connection), "get from", code);
  if (!status.ok()) return status;
  return value;
}

absl::Status MemcachedServer::Set(std::string_view key, std::string_view value) {
  MemcachedHandle connection = Take();
  const memcached_return_t code =
      memcached_set(connection.get(), key.data(), key.size(), value.data(), value.size(), 0, 0);
  return Return(std::move(connection), "set in", code);
}

absl::Status MemcachedServer::Delete(std::string_view key) {
  MemcachedHandle connection = Take();
  const memcached_return_t code = memcached_delete(connection.get(), key.data(), key.size(), 0);
  return Return(std::move(connection), "delete from", code);
}

MemcachedHandle MemcachedServer::Take() {
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      MemcachedHandle connection = std::move(idle_.back());
      idle_.pop_back();
      return connection;
    }
  }
  MemcachedHandle connection(memcached_create(nullptr));
  BoundMemory(connection.get());
  const auto set = [&](memcached_behavior_t behavior, std::uint64_t value) {
    memcached_behavior_set(connection.get(), behavior, value);
  };
  const auto milliseconds = static_cast<std::uint64_t>(options_.timeout.count());
  set(MEMCACHED_BEHAVIOR_NO_BLOCK, 1);
  set(MEMCACHED_BEHAVIOR_TCP_NODELAY, 1);
  set(MEMCACHED_BEHAVIOR_CONNECT_TIMEOUT, milliseconds);
  set(MEMCACHED_BEHAVIOR_POLL_TIMEOUT, milliseconds);
  set(MEMCACHED_BEHAVIOR_SND_TIMEOUT, 1000 * milliseconds);
  set(MEMCACHED_BEHAVIOR_RCV_TIMEOUT, 1000 * milliseconds);
  memcached_server_add(connection.get(), address_.host.c_str(),
                       static_cast<in_port_t>(address_.port));
  return connection;
}

absl::Status MemcachedServer::Return(MemcachedHandle connection, const char* operation,
                                     memcached_return_t code) {
  if (!Works(code)) {
    breaker_.Failed();
    const std::lock_guard lock(mutex_);
    // Those that wait are as broken as this one.
    idle_.clear();
    last_failure_ = absl::UnavailableError(absl::StrCat(
        operation, " memcached ", name_, ": ", memcached_strerror(connection.get(), code)));
    return last_failure_;
  }
  breaker_.Succeeded();
  const std::lock_guard lock(mutex_);
  if (code == MEMCACHED_SUCCESS || code == MEMCACHED_NOTFOUND) {
    idle_.push_back(std::move(connection));
    return absl::OkStatus();
  }
  return absl::ResourceExhaustedError(absl::StrCat(operation, " memcached ", name_, ": ",
                                                   memcached_strerror(connection.get(), code)));
}

absl::Status MemcachedServer::health() const {
  if (breaker_.closed()) return absl::OkStatus();
  const std::lock_guard lock(mutex_);
  return last_failure_;
}

}  // namespace thalweg::cache
