#include "server/http/dispatcher.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "proto/wire/host_port.h"
#include "proto/wire/status_macros.h"
#include "server/http/own_url.h"
#include "server/http/problem.h"

namespace thalweg::http {
namespace {

// Checks of requests that a browser may send for a page of another site.

// Whether a Host means this machine: localhost, a name under .localhost, 127.0.0.0/8 or [::1], with
// any port.
bool IsLocalHost(std::string_view host) {
  const std::string name = NameOf(host);
  return absl::EndsWith(name, ".localhost") || wire::IsLoopback(absl::StrCat(name, ":0"));
}

absl::Status Refuse(const char* header, const std::string& expected, std::string_view got) {
  return absl::PermissionDeniedError(
      absl::StrCat("invalid ", header, ": expected ", expected, ", got '",
                   absl::CHexEscape(std::string(got.substr(0, 128))),
                   "': only pages of this server may create and delete worlds"));
}

// A page of another site can make its own name point to this machine. Its browser then takes the
// server for that site, and lets the page read all answers. So a server with `local_names_only`
// answers only requests to names of this machine and to the host of `public_url`, with any port,
// since tunnels change ports. Answers others with 421, and returns false. A request without a Host
// is not from a browser.
bool CheckOwnHost(const Site& site, Exchange& exchange) {
  const std::string_view host = exchange.Header("Host");
  if (!site.options->local_names_only || host.empty()) return true;
  const std::string& url = site.options->public_url;
  // What is not a host has no name: localhost:80@example.org may be another machine.
  if (IsHost(host)) {
    if (IsLocalHost(host)) return true;
    if (!url.empty() && NameOf(host) == HostOf(url)) return true;
  }
  exchange.Answer(ProblemOf(
      421,
      absl::StrCat("invalid Host: expected localhost, an address of this machine",
                   url.empty() ? "" : absl::StrCat(" or ", HostOf(url)), ", got '",
                   absl::CHexEscape(std::string(host.substr(0, 128))),
                   "': start the server with --http-url and the URL that callers use, or with "
                   "--trusted-proxies if a proxy is in front of it"),
      exchange.id()));
  return false;
}

// For requests that change something. A browser names the page that sends a request, in
// Sec-Fetch-Site or, to a server without encryption, in Origin. PERMISSION_DENIED if the page is of
// another origin. A request with neither header is not from a browser.
absl::Status CheckOwnOrigin(const Site& site, const Exchange& exchange) {
  // Scripts can't set this header, and proxies do not change it.
  const std::string_view fetch_site = exchange.Header("Sec-Fetch-Site");
  if (fetch_site == "same-origin" || fetch_site == "none") return absl::OkStatus();
  if (!fetch_site.empty()) return Refuse("Sec-Fetch-Site", "same-origin", fetch_site);
  const std::string_view origin = exchange.Header("Origin");
  if (origin.empty()) return absl::OkStatus();
  THALWEG_ASSIGN_OR_RETURN(const std::string base, BaseUrlOf(site, exchange));
  const std::string own(OriginOf(base));
  if (absl::EqualsIgnoreCase(absl::string_view(origin.data(), origin.size()), own)) {
    return absl::OkStatus();
  }
  return Refuse("Origin", own, origin);
}

// The target without scheme and authority, which proxies may add (RFC 9112, 3.2.2).
std::string_view OriginFormOf(std::string_view target) {
  const std::size_t scheme = target.find("://");
  if (target.starts_with('/') || scheme == std::string_view::npos) return target;
  const std::size_t path = target.find_first_of("/?", scheme + 3);
  return path == std::string_view::npos ? "/" : target.substr(path);
}

// The routes of a target. Some proxies pass on the path below which they serve this server, which
// is then taken off.
absl::StatusOr<Match> RoutesBelow(std::string_view own_path, Target& target) {
  absl::StatusOr<Match> match = RoutesOf(target);
  if (match.ok() || own_path.empty()) return match;
  const auto own = ParseTarget(own_path);
  std::vector<std::string>& segments = target.segments;
  if (!own.ok() || segments.size() < own->segments.size()) return match;
  const auto end = segments.begin() + static_cast<std::ptrdiff_t>(own->segments.size());
  if (!std::equal(segments.begin(), end, own->segments.begin())) return match;
  segments.erase(segments.begin(), end);
  return RoutesOf(target);
}

// A browser asks this before a script of another origin may send more than a plain GET. Such
// scripts may neither create nor delete worlds, so they may send JSON only to routes that read it.
void AnswerPreflight(const Match& match, Exchange& exchange) {
  const bool reads_body = match.Find(Verb::kRead) == nullptr;
  const std::string read = reads_body ? "POST" : "GET, HEAD";
  Response response{.status = 204, .content_type = "", .headers = "", .body = nullptr};
  response.Add("Allow", read + ", OPTIONS")
      .Add("Access-Control-Allow-Methods", read)
      .Add("Access-Control-Allow-Headers",
           absl::StrCat("Authorization, If-None-Match, X-Request-Id",
                        reads_body ? ", Content-Type" : ""))
      .Add("Access-Control-Max-Age", "86400");
  exchange.Answer(std::move(response));
}

// Empty if no route has this method.
std::optional<Verb> VerbOf(boost::beast::http::verb method) {
  using Method = boost::beast::http::verb;
  switch (method) {
    case Method::get:
    case Method::head:
      return Verb::kRead;
    case Method::post:
      return Verb::kPost;
    case Method::delete_:
      return Verb::kDelete;
    default:
      return std::nullopt;
  }
}

void RefuseVerb(Exchange& exchange, const Match& match) {
  const auto name = exchange.message().method_string();
  const std::string allowed = absl::StrCat(match.Find(Verb::kRead) ? "GET, HEAD, " : "",
                                           match.Find(Verb::kPost) ? "POST, " : "",
                                           match.Find(Verb::kDelete) ? "DELETE, " : "", "OPTIONS");
  Response response = ProblemOf(405,
                                absl::StrCat("invalid method: expected ", allowed, ", got ",
                                             absl::string_view(name.data(), name.size())),
                                exchange.id());
  response.Add("Allow", allowed);
  exchange.Answer(std::move(response));
}

std::vector<std::string_view> ValuesOf(const Exchange& exchange, std::string_view name) {
  std::vector<std::string_view> values;
  const auto [begin, end] = exchange.message().equal_range({name.data(), name.size()});
  for (auto field = begin; field != end; ++field) {
    values.emplace_back(field->value().data(), field->value().size());
  }
  return values;
}

absl::Status Admit(const Site& site, calls::CallGate& gate, Exchange& exchange,
                   access::Scope scope) {
  const std::string peer = exchange.peer_address();
  const std::vector<std::string_view> authorization = ValuesOf(exchange, "Authorization");
  const std::vector<std::string_view> forwarded = ValuesOf(exchange, "X-Forwarded-For");
  return exchange.admission().Admit(
      *site.engine.access, gate,
      {.authorization = authorization, .peer = peer, .forwarded = forwarded}, scope);
}

}  // namespace

void DispatchRequest(const Site& site, calls::CallGate& gate, const ExchangePointer& exchange) {
  const boost::beast::http::verb method = exchange->message().method();
  const std::optional<Verb> verb = VerbOf(method);
  auto target = ParseTarget(OriginFormOf(exchange->target()));
  const std::string_view own_path = PathOf(site.options->public_url);
  absl::StatusOr<Match> match =
      target.ok() ? RoutesBelow(own_path, *target) : absl::StatusOr<Match>(target.status());
  const Route* const route = match.ok() && verb ? match->Find(*verb) : nullptr;
  exchange->Begin(site.engine.listeners, route != nullptr ? route->method
                                         : match.ok()     ? match->routes.front().method
                                                          : calls::Method::kHttpOther);
  if (!CheckOwnHost(site, *exchange)) return;
  if (target.ok() && target->segments.empty()) return RedirectIntoFolder(own_path, *exchange);
  if (!match.ok()) return exchange->Fail(match.status());
  if (method == boost::beast::http::verb::options) return AnswerPreflight(*match, *exchange);
  if (route == nullptr) return RefuseVerb(*exchange, *match);
  if (route->changes()) {
    const absl::Status own = CheckOwnOrigin(site, *exchange);
    if (!own.ok()) return exchange->Fail(own);
  }
  if (site.options->only_metrics) {
    if (route->method != calls::Method::kHttpMetrics) {
      return exchange->Fail(
          absl::NotFoundError("unknown path: expected /metrics, the only path of this address"));
    }
  } else if (route->scope) {
    const absl::Status admitted = Admit(site, gate, *exchange, *route->scope);
    if (!admitted.ok()) return exchange->Fail(admitted);
  }
  route->handle({site, gate, exchange, std::move(match->values), std::move(target->parameters)});
}

}  // namespace thalweg::http
