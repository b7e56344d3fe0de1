#include "proto/wire/host_port.h"

#include <arpa/inet.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "proto/wire/invalid.h"

namespace thalweg::wire {
namespace {

using std::string_view_literals::operator""sv;

constexpr int kMaxPort = 65'535;

// An address, perhaps with its zone: fe80::1%eth0.
bool IsIpv6(std::string_view text) {
  const std::size_t zone = std::min(text.find('%'), text.size());
  const std::string_view name = text.substr(zone);
  if (name.size() == 1 || name.find(':') != std::string_view::npos) return false;
  if (text.find_first_of(",/[] \0"sv) != std::string_view::npos) return false;
  in6_addr address;
  return inet_pton(AF_INET6, std::string(text.substr(0, zone)).c_str(), &address) == 1;
}

std::optional<HostPort> Parse(std::string_view text, int min_port) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  std::string_view host = text.substr(0, colon);
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
    host = host.substr(1, host.size() - 2);
    if (!IsIpv6(host)) return std::nullopt;
  } else if (host.empty() || host.find_first_of(":,/[] \0"sv) != std::string_view::npos) {
    return std::nullopt;
  }
  HostPort address{.host = std::string(host)};
  const std::string_view port = text.substr(colon + 1);
  const auto [end, error] = std::from_chars(port.begin(), port.end(), address.port);
  if (error != std::errc() || end != port.end()) return std::nullopt;
  if (address.port < min_port || address.port > kMaxPort) return std::nullopt;
  return address;
}

}  // namespace

absl::StatusOr<HostPort> ParseHostPort(std::string_view what, std::string_view text, int min_port) {
  if (std::optional<HostPort> address = Parse(text, min_port)) return *std::move(address);
  return Invalid(
      absl::string_view(what.data(), what.size()),
      absl::StrCat("HOST:PORT or [IPV6]:PORT with a port from ", min_port, " to ", kMaxPort),
      absl::StrCat("'", absl::string_view(text.data(), text.size()), "'"));
}

std::string TextOf(const HostPort& address) {
  const bool v6 = address.host.find(':') != std::string::npos;
  return v6 ? absl::StrCat("[", address.host, "]:", address.port)
            : absl::StrCat(address.host, ":", address.port);
}

std::string WithPort(std::string_view address, int port) {
  const std::string_view host = address.substr(0, address.rfind(':'));
  return absl::StrCat(absl::string_view(host.data(), host.size()), ":", port);
}

bool IsLoopback(std::string_view address) {
  const std::optional<HostPort> parsed = Parse(address, 0);
  if (!parsed) return false;
  // The start is not enough: 127.0.0.1.example.org is another machine.
  in_addr v4;
  if (inet_pton(AF_INET, parsed->host.c_str(), &v4) == 1) return (ntohl(v4.s_addr) >> 24) == 127;
  in6_addr v6;
  if (inet_pton(AF_INET6, parsed->host.c_str(), &v6) == 1) return IN6_IS_ADDR_LOOPBACK(&v6);
  return parsed->host == "localhost";
}

}  // namespace thalweg::wire
