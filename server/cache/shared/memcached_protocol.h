// memcached's text protocol, as far as a cache of tiles needs it (github.com/memcached/memcached,
// doc/protocol.txt). An answer that does not fit the request is an error: the peer may not be a
// memcached server.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/cache/shared/tcp_socket.h"

namespace thalweg::cache {

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

}  // namespace thalweg::cache
