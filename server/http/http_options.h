// The options and limits of an HTTP server.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "server/access/tls_identity.h"

namespace thalweg::http {

// Max connections of a server where the system allows enough open files.
inline constexpr std::size_t kMaxConnections = 10'000;

// Limits of requests and connections. They are constants; only tests change them.
struct HttpLimits {
  std::uint32_t max_header_bytes = 16 << 10;
  std::uint64_t max_body_bytes = 256 << 10;
  // From a request's first byte to the end of its head, and from there to the end of its body.
  std::chrono::milliseconds read_timeout{10'000};
  // The time between requests.
  std::chrono::milliseconds idle_timeout{75'000};
  // The time to make the answer.
  std::chrono::milliseconds request_timeout{60'000};
  // How often these times are checked.
  std::chrono::milliseconds sweep{500};
};

struct HttpOptions {
  // The name of the setting with the address, for errors.
  std::string setting = "http";
  // Answers only /metrics, and to everyone.
  bool only_metrics = false;
  int threads = 2;
  // Beyond this number, the connection that has waited for its peer for longest is closed.
  std::size_t max_connections = kMaxConnections;
  // The same for the connections of one address (IPv6: of its first 64 bits). Connections from this
  // machine are not counted. 0: no limit.
  std::size_t connections_per_address = 256;
  // Null for plain connections.
  std::shared_ptr<access::TlsIdentitySource> tls;
  // The beginning of URLs in documents, as ParseOwnUrl returns it; empty: as requests name it.
  std::string public_url;
  // Whether only requests to names of this machine, and to public_url's, are answered: for
  // addresses that no other machine reaches.
  bool local_names_only = false;
  // Whether to serve the pages of /examples/, which load scripts from other hosts.
  bool examples = false;
  HttpLimits limits = {};
};

}  // namespace thalweg::http
