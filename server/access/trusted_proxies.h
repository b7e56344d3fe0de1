// Which address a call comes from, where proxies stand in front of the server.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace thalweg::access {

// The IP address in "192.0.2.7", "192.0.2.7:80", "[2001:db8::1]:80", "2001:db8::1", and in what
// gRPC calls a peer ("ipv4:192.0.2.7:80", "ipv6:%5B2001:db8::1%5D:80"). Text that has no address
// comes back as it is.
std::string IpOf(std::string_view text);

// The proxies whose word on their callers' addresses is taken: nobody's, unless they are named.
class TrustedProxies {
 public:
  TrustedProxies() = default;
  // From addresses and networks with commas between them: "10.0.0.0/8,192.0.2.7,fd00::/8". Nobody
  // for empty text. INVALID_ARGUMENT names the one that is none.
  static absl::StatusOr<TrustedProxies> Parse(std::string_view list);

  // Whether an IP address is one of them.
  bool Has(std::string_view ip) const;
  // The IP address that a call comes from, by its connection's peer and the values of
  // X-Forwarded-For: each proxy adds the address that it was called from at the right, so from the
  // right the first one that is no trusted proxy. What callers write themselves stands left of it.
  std::string OriginOf(std::string_view peer, std::span<const std::string_view> forwarded) const;

 private:
  // IPv4 addresses are those that are mapped into IPv6.
  using Address = std::array<std::uint8_t, 16>;
  struct Network {
    Address address;
    int bits;
  };

  static bool ParseAddress(std::string_view ip, Address& address);
  static absl::StatusOr<Network> ParseNetwork(std::string_view text);

  std::vector<Network> networks_;
};

}  // namespace thalweg::access
