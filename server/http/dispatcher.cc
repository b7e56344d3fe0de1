#include "server/http/dispatcher.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/http/assets.h"
#include "server/http/create_world.h"
#include "server/http/get_tile.h"
#include "server/http/get_world.h"
#include "server/http/get_worlds.h"
#include "server/http/index_page.h"
#include "server/http/operations.h"
#include "server/http/problem.h"
#include "server/http/tile_json.h"

namespace thalweg::http {
namespace {

using access::Scope;
using boost::beast::http::verb;

template <typename... Ts>
struct Overloaded : Ts... {
  using Ts::operator()...;
};
template <typename... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;

// The target without scheme and authority, with which proxies may name it (RFC 9112, 3.2.2).
std::string_view OriginFormOf(std::string_view target) {
  const std::size_t scheme = target.find("://");
  if (target.starts_with('/') || scheme == std::string_view::npos) return target;
  const std::size_t path = target.find_first_of("/?", scheme + 3);
  return path == std::string_view::npos ? "/" : target.substr(path);
}

// Asked by a browser before a script of another origin may send more than a plain GET. Worlds are
// not created by scripts of other origins.
void AnswerPreflight(Exchange& exchange) {
  Response response{.status = 204, .content_type = "", .headers = "", .body = nullptr};
  response.Add("Allow", "GET, HEAD, OPTIONS")
      .Add("Access-Control-Allow-Methods", "GET, HEAD")
      .Add("Access-Control-Allow-Headers", "Authorization, If-None-Match, X-Request-Id")
      .Add("Access-Control-Max-Age", "86400");
  exchange.Answer(std::move(response));
}

void RefuseVerb(Exchange& exchange, bool may_post) {
  Response response = ProblemOf(405, "the address does not know this method", exchange.id());
  response.Add("Allow", may_post ? "GET, HEAD, POST, OPTIONS" : "GET, HEAD, OPTIONS");
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

absl::StatusOr<calls::Guest> LetIn(const Site& site, calls::CallGate& gate,
                                   const Exchange& exchange, Scope scope) {
  const std::string peer = exchange.peer_address();
  const std::vector<std::string_view> authorization = ValuesOf(exchange, "Authorization");
  const std::vector<std::string_view> forwarded = ValuesOf(exchange, "X-Forwarded-For");
  return calls::LetIn(*site.engine.access, gate,
                      {.authorization = authorization, .peer = peer, .forwarded = forwarded}, scope,
                      access::CallKind::kSingle);
}

// What a route needs; nothing: it is open to everyone, and while the server drains too.
std::optional<Scope> ScopeOf(const Route& route, bool post) {
  if (std::holds_alternative<WorldsRoute>(route)) {
    return post ? Scope::kCreateWorlds : Scope::kRead;
  }
  if (std::holds_alternative<MetricsRoute>(route)) return Scope::kAdmin;
  if (std::holds_alternative<HealthRoute>(route) || std::holds_alternative<ReadyRoute>(route) ||
      std::holds_alternative<AssetRoute>(route)) {
    return std::nullopt;
  }
  return Scope::kRead;
}

void Handle(const Site& site, calls::CallGate& gate, const ExchangePointer& exchange,
            const Route& route, const ParameterList& parameters, bool post) {
  std::visit(
      Overloaded{
          [&](const HealthRoute&) { HandleHealth(*exchange); },
          [&](const ReadyRoute&) { HandleReady(gate, *exchange); },
          [&](const MetricsRoute&) { HandleMetrics(site, *exchange); },
          [&](const IndexRoute&) { HandleIndex(site, *exchange); },
          [&](const AssetRoute& asset) { HandleAsset(asset, *exchange); },
          [&](const WorldsRoute&) {
            if (post) return HandleCreateWorld(site, exchange, parameters);
            HandleGetWorlds(site, *exchange, parameters);
          },
          [&](const WorldRoute& world) { HandleGetWorld(site, world, *exchange, parameters); },
          [&](const TileJsonRoute& world) { HandleTileJson(site, world, *exchange, parameters); },
          [&](const TileRoute& tile) { HandleGetTile(site, tile, exchange, parameters); },
      },
      route);
}

}  // namespace

void DispatchRequest(const Site& site, calls::CallGate& gate, const ExchangePointer& exchange) {
  const auto text = exchange->message().target();
  const verb method = exchange->message().method();
  const bool post = method == verb::post;
  auto target = ParseTarget(OriginFormOf({text.data(), text.size()}));
  absl::StatusOr<Route> route =
      target.ok() ? RouteOf(*target) : absl::StatusOr<Route>(target.status());
  exchange->Begin(site.engine.listeners,
                  route.ok() ? MethodOf(*route, post) : calls::Method::kHttpOther);
  if (!route.ok()) return exchange->Fail(route.status());
  if (method == verb::options) return AnswerPreflight(*exchange);
  const bool may_post = std::holds_alternative<WorldsRoute>(*route);
  if (method != verb::get && method != verb::head && !(post && may_post)) {
    return RefuseVerb(*exchange, may_post);
  }
  if (const auto scope = ScopeOf(*route, post)) {
    auto guest = LetIn(site, gate, *exchange, *scope);
    if (!guest.ok()) return exchange->Fail(guest.status());
    exchange->Enter(*std::move(guest));
  }
  Handle(site, gate, exchange, *route, target->parameters, post);
}

}  // namespace thalweg::http
