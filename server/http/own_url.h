// The URL of this server as its callers write it.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace thalweg::http {

// Reads "https://terrain.example.org:8443/path", the setting http_url, and returns it without a
// slash at its end. INVALID_ARGUMENT for anything else than http or https, host, port and path.
absl::StatusOr<std::string> ParseOwnUrl(const std::string& text);

// The parts of a URL that has passed ParseOwnUrl: "https://terrain.example.org:8443"; its host, in
// lower case and without the port; and "/path", or "" without one.
std::string_view OriginOf(std::string_view url);
std::string HostOf(std::string_view url);
std::string_view PathOf(std::string_view url);

// The name in HOST or HOST:PORT, in lower case.
std::string NameOf(std::string_view host);

std::string_view WithoutLastSlash(std::string_view text);

// Whether a text may be HOST or HOST:PORT, and whether one is "" or a path without a slash at its
// end.
bool IsHost(std::string_view text);
bool IsPath(std::string_view text);

}  // namespace thalweg::http
