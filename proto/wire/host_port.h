// Addresses in options and flags.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace thalweg::wire {

struct HostPort {
  // A name or an address; an IPv6 address without its brackets.
  std::string host;
  int port = 0;

  bool operator==(const HostPort&) const = default;
};

// Reads HOST:PORT or [IPV6]:PORT, with a port from min_port to 65,535: 1 to connect, 0 to listen,
// where 0 means any free port. INVALID_ARGUMENT: "invalid WHAT: expected ..., got 'TEXT'".
absl::StatusOr<HostPort> ParseHostPort(std::string_view what, std::string_view text, int min_port);

// HOST:PORT or [IPV6]:PORT.
std::string TextOf(const HostPort& address);

// Returns the address with another port.
std::string WithPort(std::string_view address, int port);

// Whether HOST:PORT is this machine, unreachable from others: localhost, 127.0.0.0/8 or [::1].
bool IsLoopback(std::string_view address);

}  // namespace thalweg::wire
