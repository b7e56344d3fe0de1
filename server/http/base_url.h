// What the server's URLs begin with, by its options and by the request.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "server/http/site.h"

namespace thalweg::http {

// The path that the server's own paths follow: that of http_url, else the one that a trusted proxy
// names in X-Forwarded-Prefix, else "". INVALID_ARGUMENT if another caller names one, or if it is
// not a path.
absl::StatusOr<std::string> PathPrefixOf(const Site& site, const Exchange& exchange);

// The beginning of the server's URLs: http_url, else as the request names the server, with the
// scheme of X-Forwarded-Proto, if a trusted proxy names one, and PathPrefixOf. INVALID_ARGUMENT
// also if the request's name is not a host name.
absl::StatusOr<std::string> BaseUrlOf(const Site& site, const Exchange& exchange);

// Redirects to the same folder with a slash, which relative links of a page need. The location is
// relative too, since a proxy may serve this server below another path.
void RedirectIntoFolder(std::string_view folder, Exchange& exchange);

}  // namespace thalweg::http
