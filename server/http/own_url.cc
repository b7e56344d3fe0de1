#include "server/http/own_url.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "proto/wire/invalid.h"
#include "proto/wire/status_macros.h"
#include "server/http/parameters.h"
#include "server/http/target.h"

namespace thalweg::http {
namespace {

constexpr std::size_t kLongestHost = 255;
constexpr std::size_t kLongestPath = 1'024;

absl::string_view AbslOf(std::string_view text) { return {text.data(), text.size()}; }

bool IsHostCharacter(char c) {
  return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '-' || c == '_' ||
         c == ':' || c == '[' || c == ']';
}

// Whether a text is HOST or HOST:PORT, strictly.
bool IsAuthority(std::string_view text) {
  const std::size_t bracket = text.rfind(']');
  const std::size_t colon = text.find(':', bracket == std::string_view::npos ? 0 : bracket);
  const std::string_view host = text.substr(0, colon);
  if (!IsHost(host) || host.starts_with('[') != host.ends_with(']')) return false;
  if (colon == std::string_view::npos) return true;
  const auto port = ParseDecimal(text.substr(colon + 1));
  return port && *port >= 1 && *port <= 65'535;
}

bool IsPathCharacter(char c) {
  return absl::ascii_isalnum(static_cast<unsigned char>(c)) ||
         std::string_view("-._~!$&'()*+,;=:@%/").find(c) != std::string_view::npos;
}

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

bool IsHost(std::string_view text) {
  return !text.empty() && text.size() <= kLongestHost && std::ranges::all_of(text, IsHostCharacter);
}

bool IsPath(std::string_view text) {
  if (text.empty()) return true;
  if (!text.starts_with('/') || text.size() > kLongestPath) return false;
  if (!std::ranges::all_of(text, IsPathCharacter)) return false;
  const std::vector<absl::string_view> segments = absl::StrSplit(AbslOf(text.substr(1)), '/');
  return std::ranges::none_of(segments, [](absl::string_view segment) {
    return segment.empty() || segment == "." || segment == "..";
  });
}

std::string_view WithoutLastSlash(std::string_view text) {
  if (text.ends_with('/')) text.remove_suffix(1);
  return text;
}

absl::StatusOr<std::string> ParseOwnUrl(const std::string& text) {
  const std::string_view url = WithoutLastSlash(text);
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (!absl::StartsWithIgnoreCase(AbslOf(url), AbslOf(scheme))) continue;
    const std::string_view rest = url.substr(scheme.size());
    const std::size_t slash = std::min(rest.find('/'), rest.size());
    const std::string_view path = rest.substr(slash);
    if (!IsAuthority(rest.substr(0, slash)) || !IsPath(path)) break;
    if (!path.empty() && !ParseTarget(path).ok()) break;
    if (path.starts_with("/assets") || path.starts_with("/examples")) {
      return InvalidText(
          "http_url", "a path that does not begin as the server's own /assets and /examples", text);
    }
    return absl::StrCat(AbslOf(scheme), AbslOf(rest));
  }
  return InvalidText("http_url",
                     "http or https, a host, and optionally a port and a path, as in "
                     "https://terrain.example.org/maps",
                     text);
}

std::string_view OriginOf(std::string_view url) {
  return url.substr(0, url.find('/', url.find("://") + 3));
}

std::string HostOf(std::string_view url) {
  return NameOf(OriginOf(url).substr(url.find("://") + 3));
}

std::string_view PathOf(std::string_view url) {
  return url.empty() ? url : url.substr(OriginOf(url).size());
}

std::string NameOf(std::string_view host) {
  const std::size_t colon = host.rfind(':');
  const std::size_t bracket = host.rfind(']');
  const bool has_port =
      colon != std::string_view::npos && (bracket == std::string_view::npos || bracket < colon);
  return absl::AsciiStrToLower(AbslOf(has_port ? host.substr(0, colon) : host));
}

absl::StatusOr<std::string> PathPrefixOf(const Site& site, const Exchange& exchange) {
  const std::string& own = site.options->public_url;
  if (!own.empty()) return std::string(PathOf(own));
  constexpr const char* kName = "X-Forwarded-Prefix";
  // Ignored, it would make links that don't work.
  const std::string_view named = exchange.Header(kName);
  if (named.empty()) return std::string();
  if (!site.engine.access->IsProxy(exchange.peer_address())) {
    return wire::Excluded(absl::StrCat(kName, " '", absl::Utf8SafeCHexEscape(AbslOf(named)), "'"),
                          absl::StrCat("--trusted-proxies does not name ", exchange.peer_address(),
                                       ", which sent it"));
  }
  const std::string_view prefix = WithoutLastSlash(FirstOf(named));
  if (IsPath(prefix)) return std::string(prefix);
  return InvalidText(kName, "a path, as in /maps", AbslOf(named));
}

absl::StatusOr<std::string> BaseUrlOf(const Site& site, const Exchange& exchange) {
  if (!site.options->public_url.empty()) return site.options->public_url;
  const std::string_view host = exchange.Header("Host");
  if (!IsHost(host)) {
    return absl::InvalidArgumentError("invalid Host: it is not the name of a server");
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
