// The part of an address that identifies a caller.
#pragma once

#include <string>
#include <string_view>

namespace thalweg::access {

// The prefix that one caller's addresses share, as a key: all of an IPv4 address ("192.0.2.7"),
// also if it is mapped into IPv6; the first 64 bits of an IPv6 address ("2001:db8:0:1::/64"), since
// one caller has all 2^64 of them. Equal for all spellings of an address. Zones ("%eth0") are left
// out. Text that is not an IP address is returned unchanged.
std::string PrefixOf(std::string_view ip);

}  // namespace thalweg::access
