// memcached's text protocol, as far as a cache of tiles needs it
// (github.com/memcached/memcached, doc/protocol.txt). An answer that is not exactly one of those
// that the request can have is an error: what the peer is then, nobody knows.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/cache/shared/tcp_socket.h"

namespace thalweg::cache {

// memcached's own limit of an item, and so of a value that is believed.
inline constexpr std::size_t kMaxValueBytes = std::size_t{1} << 20;

// Keys are at most 250 characters, none of them a space or a control character. Errors are those of
// the socket, UNAVAILABLE for an answer that is none, and, for Set, RESOURCE_EXHAUSTED when the
// server says that it has no room. Unless they are OK the socket is of no use afterwards.

// The value, or nothing if the server has none.
absl::StatusOr<std::optional<std::string>> MemcachedGet(TcpSocket& socket, std::string_view key,
                                                        Deadline deadline);
absl::Status MemcachedSet(TcpSocket& socket, std::string_view key, std::string_view value,
                          Deadline deadline);
// OK also if there was none.
absl::Status MemcachedDelete(TcpSocket& socket, std::string_view key, Deadline deadline);

}  // namespace thalweg::cache
