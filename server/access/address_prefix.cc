#include "server/access/address_prefix.h"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace thalweg::access {
namespace {

constexpr std::size_t kMappedBytes = 12;  // before the IPv4 address in a mapped one
constexpr std::size_t kPrefixBytes = 8;   // 64 bits

std::string TextOf(int family, const void* address) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  return inet_ntop(family, address, text.data(), text.size());
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

}  // namespace thalweg::access
