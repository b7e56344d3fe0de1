#include "server/http/base_url.h"

#include <cstddef>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "proto/wire/status_macros.h"
#include "server/http/own_url.h"
#include "server/http/parameters.h"

namespace thalweg::http {
namespace {

absl::string_view AbslOf(std::string_view text) { return {text.data(), text.size()}; }

// The first value of a header's list, which the proxy nearest to the caller has set.
std::string_view FirstOf(std::string_view values) {
  const absl::string_view first =
      absl::StripAsciiWhitespace(AbslOf(values.substr(0, values.find(','))));
  return {first.data(), first.size()};
}

// That of a trusted proxy, else the connection's.
absl::StatusOr<std::string_view> SchemeOf(const Site& site, const Exchange& exchange) {
  constexpr const char* kName = "X-Forwarded-Proto";
  const std::string_view scheme = FirstOf(exchange.Header(kName));
  if (scheme.empty() || !site.engine.access->IsProxy(exchange.peer_address())) {
    return exchange.encrypted() ? "https" : "http";
  }
  if (scheme == "http" || scheme == "https") return scheme;
  return InvalidText(kName, "http or https", AbslOf(scheme));
}

}  // namespace

absl::StatusOr<std::string> PathPrefixOf(const Site& site, const Exchange& exchange) {
  const std::string& own = site.options->public_url;
  if (!own.empty()) return std::string(PathOf(own));
  constexpr const char* kName = "X-Forwarded-Prefix";
  // Ignored, it would make links that don't work.
  const std::string_view named = exchange.Header(kName);
  if (named.empty()) return std::string();
  if (!site.engine.access->IsProxy(exchange.peer_address())) {
    return InvalidText(kName,
                       absl::StrCat("none from ", exchange.peer_address(),
                                    ", since --trusted-proxies does not name it"),
                       AbslOf(named));
  }
  const std::string_view prefix = WithoutLastSlash(FirstOf(named));
  if (IsPath(prefix)) return std::string(prefix);
  return InvalidText(kName, "a path, as in /maps", AbslOf(named));
}

absl::StatusOr<std::string> BaseUrlOf(const Site& site, const Exchange& exchange) {
  if (!site.options->public_url.empty()) return site.options->public_url;
  const std::string_view host = exchange.Header("Host");
  if (!IsHost(host)) {
    return absl::InvalidArgumentError("invalid Host: expected the server's name, got another text");
  }
  THALWEG_ASSIGN_OR_RETURN(const std::string_view scheme, SchemeOf(site, exchange));
  THALWEG_ASSIGN_OR_RETURN(const std::string prefix, PathPrefixOf(site, exchange));
  return absl::StrCat(AbslOf(scheme), "://", AbslOf(host), prefix);
}

void RedirectIntoFolder(std::string_view folder, Exchange& exchange) {
  const std::string_view text = exchange.target();
  const std::size_t query = text.find('?');
  Response response{.status = 307, .content_type = "", .headers = "", .body = nullptr};
  // With "./" a name with a colon is no scheme.
  std::string location = absl::StrCat("./", AbslOf(folder.substr(folder.rfind('/') + 1)), "/");
  if (query != std::string_view::npos) location += text.substr(query);
  response.Add("Location", location);
  response.Add("Cache-Control", "no-cache");
  exchange.Answer(std::move(response));
}

}  // namespace thalweg::http
