// How HTTP's connections are bounded.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "server/access/tls_identity.h"

namespace thalweg::http {

struct HttpOptions {
  // The setting of the address, as errors name it.
  std::string setting = "http";
  // Answers /metrics to everyone, and nothing else.
  bool only_metrics = false;
  int threads = 2;
  // More connections than these close the one that has waited for its peer for longest.
  std::size_t max_connections = 10'000;
  // The same for the connections of one address (IPv6: of its first 64 bits). This machine's own
  // are not counted. 0: no limit.
  std::size_t connections_per_address = 256;
  std::uint32_t max_header_bytes = 16 << 10;
  std::uint64_t max_body_bytes = 256 << 10;
  // From a request's first byte to its head's end, and from then to its body's.
  std::chrono::milliseconds read_timeout{10'000};
  // Between requests.
  std::chrono::milliseconds idle_timeout{75'000};
  // Time for the answer to be made, and for the peer to read it.
  std::chrono::milliseconds request_timeout{60'000};
  std::chrono::milliseconds write_timeout{120'000};
  // How often all these are looked at.
  std::chrono::milliseconds sweep{500};
  // Null: connections are plain.
  std::shared_ptr<access::TlsIdentitySource> tls;
  // The begin of URLs in documents, "https://terrain.example.org"; empty: as the request names it.
  std::string public_url;
  // Whether to serve the pages of /examples/, which load scripts of another host.
  bool examples = false;
};

}  // namespace thalweg::http
