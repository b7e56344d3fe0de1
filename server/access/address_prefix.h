// The part of an address that stands for one caller.
#pragma once

#include <string>
#include <string_view>

namespace thalweg::access {

// The prefix that the addresses of one caller share, as a key: an IPv4 address whole ("192.0.2.7"),
// one mapped into IPv6 as that IPv4 address, an IPv6 address by its first 64 bits
// ("2001:db8:0:1::/64"), since one caller has all 2^64 of them. Equal for all spellings of an
// address. Text that is not an IP address comes back as it is. Zones ("%eth0") are left out.
std::string PrefixOf(std::string_view ip);

}  // namespace thalweg::access
