#include "server/http/dispatcher.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "server/http/base_url.h"
#include "server/http/browser_checks.h"
#include "server/http/own_url.h"
#include "server/http/problem.h"

namespace thalweg::http {
namespace {

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
