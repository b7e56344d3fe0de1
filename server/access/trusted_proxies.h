// The address that a call comes from, also behind proxies in front of the server.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace thalweg::access {

// The prefix that one caller's addresses share, as a key: all of an IPv4 address ("192.0.2.7"),
// also if it is mapped into IPv6; the first 64 bits of an IPv6 address ("2001:db8:0:1::/64"), since
// one caller has all 2^64 of them. Equal for all spellings of an address. Zones ("%eth0") are left
// out. Text that is not an IP address is returned unchanged.
std::string PrefixOf(std::string_view ip);

// The IP address in "192.0.2.7", "192.0.2.7:80", "[2001:db8::1]:80" or "2001:db8::1", or in a peer
// of gRPC ("ipv4:192.0.2.7:80", "ipv6:%5B2001:db8::1%5D:80"). Text without an address is returned
// unchanged.
std::string IpOf(std::string_view text);

// The proxies whose X-Forwarded-For is trusted; none by default.
class TrustedProxies {
 public:
  TrustedProxies() = default;
  // Parses addresses and networks with commas between them: "10.0.0.0/8,192.0.2.7,fd00::/8". Empty
  // text: no proxies. IPv4 addresses, mapped ones too, are only in networks of IPv4.
  // INVALID_ARGUMENT names the invalid one.
  static absl::StatusOr<TrustedProxies> Parse(std::string_view list);

  // Whether an IP address is that of a trusted proxy.
  bool Has(std::string_view ip) const;
  // The IP address that a call comes from, by its connection's peer and the values of
  // X-Forwarded-For. Each proxy adds the address of its caller at the right. So the origin is the
  // first address from the right that is not a trusted proxy. Values that callers forge are left of
  // it.
  std::string OriginOf(std::string_view peer, std::span<const std::string_view> forwarded) const;

 private:
  // IPv4 addresses are mapped into IPv6.
  using Address = std::array<std::uint8_t, 16>;
  struct Network {
    Address address;
    int bits;
  };

  static bool IsV4(const Address& address);
  static bool ParseAddress(std::string_view ip, Address& address);
  static absl::StatusOr<Network> ParseNetwork(std::string_view text);

  std::vector<Network> networks_;
};

}  // namespace thalweg::access
