// memcached's text protocol, as far as a cache of tiles needs it (github.com/memcached/memcached,
// doc/protocol.txt). An answer that the request can't have is an error: the peer may be anything
// then.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/cache/shared/tcp_socket.h"

namespace thalweg::cache {

// memcached's own limit of an item, and so of a value that is accepted.
inline constexpr std::size_t kMaxValueBytes = std::size_t{1} << 20;

// Keys are at most 250 characters, none of them a space or a control character. Errors are those of
// the socket, UNAVAILABLE for an invalid answer, and, for Set, RESOURCE_EXHAUSTED when the server
// reports that it has no room. After an error the socket can't be used.

// The value, or nothing if the server has none.
absl::StatusOr<std::optional<std::string>> MemcachedGet(TcpSocket& socket, std::string_view key,
                                                        Deadline deadline);
absl::Status MemcachedSet(TcpSocket& socket, std::string_view key, std::string_view value,
                          Deadline deadline);
// OK also if there was none.
absl::Status MemcachedDelete(TcpSocket& socket, std::string_view key, Deadline deadline);

}  // namespace thalweg::cache
