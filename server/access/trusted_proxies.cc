#include "server/access/trusted_proxies.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <cstring>

#include "absl/strings/numbers.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "proto/wire/invalid.h"
#include "proto/wire/status_macros.h"

namespace thalweg::access {
namespace {

constexpr std::size_t kMappedBytes = 12;  // before the IPv4 address in a mapped one
constexpr std::size_t kPrefixBytes = 8;   // 64 bits

std::string TextOf(int family, const void* address) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  return inet_ntop(family, address, text.data(), text.size());
}

constexpr int kAddressBits = 128;
constexpr int kV4Bits = 32;
constexpr int kMappedBits = kAddressBits - kV4Bits;  // before the IPv4 address in a mapped one

bool IsIp(const std::string& text) {
  in6_addr address{};
  return inet_pton(AF_INET, text.c_str(), &address) == 1 ||
         inet_pton(AF_INET6, text.c_str(), &address) == 1;
}

absl::Status Wrong(absl::string_view text) {
  return wire::Invalid("trusted_proxies",
                       "addresses or networks with commas between, as in 10.0.0.0/8,fd00::/8",
                       absl::StrCat("'", text, "'"));
}

}  // namespace

std::string PrefixOf(std::string_view ip) {
  std::string text(ip.substr(0, ip.find('%')));
  in_addr v4{};
  if (inet_pton(AF_INET, text.c_str(), &v4) == 1) return text;
  in6_addr v6{};
  if (inet_pton(AF_INET6, text.c_str(), &v6) != 1) return std::string(ip);
  if (IN6_IS_ADDR_V4MAPPED(&v6)) return TextOf(AF_INET, v6.s6_addr + kMappedBytes);
  std::fill(v6.s6_addr + kPrefixBytes, v6.s6_addr + sizeof(v6.s6_addr), std::uint8_t{0});
  return TextOf(AF_INET6, &v6) + "/64";
}

std::string IpOf(std::string_view text) {
  // gRPC's peers are URIs, with escaped brackets.
  std::string rest = absl::StrReplaceAll(absl::string_view(text.data(), text.size()),
                                         {{"%5B", "["}, {"%5D", "]"}, {"%5b", "["}, {"%5d", "]"}});
  for (const char* scheme : {"ipv4:", "ipv6:"}) {
    if (absl::StartsWith(rest, scheme)) rest.erase(0, std::strlen(scheme));
  }
  std::string host = rest;
  if (const auto closed = rest.find(']'); rest.starts_with('[') && closed != std::string::npos) {
    host = rest.substr(1, closed - 1);
  } else if (std::count(rest.begin(), rest.end(), ':') == 1) {
    host = rest.substr(0, rest.find(':'));
  }
  host = host.substr(0, host.find('%'));
  return IsIp(host) ? host : std::string(text);
}

bool TrustedProxies::IsV4(const Address& address) {
  static constexpr Address kMapped{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  return std::equal(kMapped.begin(), kMapped.begin() + kMappedBits / 8, address.begin());
}

bool TrustedProxies::ParseAddress(std::string_view ip, Address& address) {
  const std::string text(ip);
  in_addr v4{};
  if (inet_pton(AF_INET, text.c_str(), &v4) == 1) {
    address = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
    std::memcpy(address.data() + address.size() - sizeof(v4), &v4, sizeof(v4));
    return true;
  }
  return inet_pton(AF_INET6, text.c_str(), address.data()) == 1;
}

absl::StatusOr<TrustedProxies::Network> TrustedProxies::ParseNetwork(std::string_view text) {
  const std::size_t slash = text.find('/');
  const std::string_view ip = text.substr(0, slash);
  Network network{};
  if (!ParseAddress(ip, network.address)) return Wrong({text.data(), text.size()});
  const int max = ip.find(':') == std::string_view::npos ? kV4Bits : kAddressBits;
  int bits = max;
  if (slash != std::string_view::npos) {
    const std::string_view digits = text.substr(slash + 1);
    // Signs and blanks are refused: -0 would be a network of all addresses.
    if (digits.find_first_not_of("0123456789") != std::string_view::npos ||
        !absl::SimpleAtoi(absl::string_view(digits.data(), digits.size()), &bits) || bits > max) {
      return Wrong({text.data(), text.size()});
    }
  }
  network.bits = bits + kAddressBits - max;
  if (IsV4(network.address) && network.bits < kMappedBits) {
    return wire::Invalid("trusted_proxies",
                         absl::StrCat("min ", kMappedBits,
                                      " bits of a mapped IPv4 address, or the "
                                      "network as IPv4, as in 10.0.0.0/8"),
                         absl::StrCat("'", absl::string_view(text.data(), text.size()), "'"));
  }
  return network;
}

absl::StatusOr<TrustedProxies> TrustedProxies::Parse(std::string_view list) {
  TrustedProxies proxies;
  if (list.empty()) return proxies;
  for (const absl::string_view part :
       absl::StrSplit(absl::string_view(list.data(), list.size()), ',')) {
    const absl::string_view text = absl::StripAsciiWhitespace(part);
    THALWEG_ASSIGN_OR_RETURN(const Network network, ParseNetwork({text.data(), text.size()}));
    proxies.networks_.push_back(network);
  }
  return proxies;
}

bool TrustedProxies::Has(std::string_view ip) const {
  Address address{};
  // The zone of a link-local address ("%eth0") is this machine's name for the link.
  if (networks_.empty() || !ParseAddress(ip.substr(0, ip.find('%')), address)) return false;
  const auto bit_of = [](const Address& of, int bit) {
    return of[static_cast<std::size_t>(bit / 8)] >> (7 - bit % 8) & 1;
  };
  return std::any_of(networks_.begin(), networks_.end(), [&](const Network& network) {
    // Written as ::/0, for example, a network has IPv6 addresses only.
    if (IsV4(address) != IsV4(network.address)) return false;
    for (int bit = 0; bit < network.bits; ++bit) {
      if (bit_of(address, bit) != bit_of(network.address, bit)) return false;
    }
    return true;
  });
}

std::string TrustedProxies::OriginOf(std::string_view peer,
                                     std::span<const std::string_view> forwarded) const {
  std::string origin = IpOf(peer);
  for (std::size_t left = forwarded.size(); left > 0; --left) {
    const std::string_view value = forwarded[left - 1];
    std::vector<absl::string_view> addresses =
        absl::StrSplit(absl::string_view(value.data(), value.size()), ',');
    std::reverse(addresses.begin(), addresses.end());
    for (const absl::string_view text : addresses) {
      // An address that is not a trusted proxy is the origin, even if it names others.
      if (!Has(origin)) return origin;
      const absl::string_view address = absl::StripAsciiWhitespace(text);
      const std::string named = IpOf({address.data(), address.size()});
      // If a proxy names no address, the proxy itself counts as the caller.
      if (!IsIp(named)) return origin;
      origin = named;
    }
  }
  return origin;
}

}  // namespace thalweg::access
