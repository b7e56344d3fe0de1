#include "server/http/dispatcher.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "server/http/assets.h"
#include "server/http/base_url.h"
#include "server/http/browser_checks.h"
#include "server/http/get_example.h"
#include "server/http/globe_calls.h"
#include "server/http/heights_call.h"
#include "server/http/index_page.h"
#include "server/http/mesh_calls.h"
#include "server/http/operations.h"
#include "server/http/own_url.h"
#include "server/http/problem.h"
#include "server/http/tile_call.h"
#include "server/http/tile_json.h"
#include "server/http/tiles3d_calls.h"
#include "server/http/world_calls.h"

namespace thalweg::http {
namespace {

using access::Scope;

template <typename... Ts>
struct Overloaded : Ts... {
  using Ts::operator()...;
};
template <typename... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;

// The target without scheme and authority, which proxies may add (RFC 9112, 3.2.2).
std::string_view OriginFormOf(std::string_view target) {
  const std::size_t scheme = target.find("://");
  if (target.starts_with('/') || scheme == std::string_view::npos) return target;
  const std::size_t path = target.find_first_of("/?", scheme + 3);
  return path == std::string_view::npos ? "/" : target.substr(path);
}

// The route of a target. Some proxies pass on the path below which they serve this server, which is
// then taken off.
absl::StatusOr<Route> RouteBelow(std::string_view own_path, Target& target) {
  absl::StatusOr<Route> route = RouteOf(target);
  if (route.ok() || own_path.empty()) return route;
  const auto own = ParseTarget(own_path);
  std::vector<std::string>& segments = target.segments;
  if (!own.ok() || segments.size() < own->segments.size()) return route;
  const auto end = segments.begin() + static_cast<std::ptrdiff_t>(own->segments.size());
  if (!std::equal(segments.begin(), end, own->segments.begin())) return route;
  segments.erase(segments.begin(), end);
  return RouteOf(target);
}

// A browser asks this before a script of another origin may send more than a plain GET. Such
// scripts may neither create nor delete worlds, so they may send JSON only to routes that read it.
void AnswerPreflight(const Route& route, Exchange& exchange) {
  const bool reads_body = !Allows(route, Verb::kRead);
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

void RefuseVerb(Exchange& exchange, const Route& route) {
  const auto name = exchange.message().method_string();
  const std::string allowed = absl::StrCat(
      Allows(route, Verb::kRead) ? "GET, HEAD, " : "", Allows(route, Verb::kPost) ? "POST, " : "",
      Allows(route, Verb::kDelete) ? "DELETE, " : "", "OPTIONS");
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

absl::Status Admit(const Site& site, calls::CallGate& gate, Exchange& exchange, Scope scope) {
  const std::string peer = exchange.peer_address();
  const std::vector<std::string_view> authorization = ValuesOf(exchange, "Authorization");
  const std::vector<std::string_view> forwarded = ValuesOf(exchange, "X-Forwarded-For");
  return exchange.admission().Admit(
      *site.engine.access, gate,
      {.authorization = authorization, .peer = peer, .forwarded = forwarded}, scope);
}

// The scope that a route needs; empty if it is open to everyone, also while the server drains.
std::optional<Scope> ScopeOf(const Route& route, Verb verb) {
  if (!OnlyReads(route, verb)) return Scope::kCreateWorlds;
  if (std::holds_alternative<MetricsRoute>(route)) return Scope::kAdmin;
  if (std::holds_alternative<HealthRoute>(route) || std::holds_alternative<ReadyRoute>(route) ||
      std::holds_alternative<AssetRoute>(route) || std::holds_alternative<ExampleRoute>(route)) {
    return std::nullopt;
  }
  return Scope::kRead;
}

void Handle(const Site& site, calls::CallGate& gate, const ExchangePointer& exchange,
            const Route& route, const ParameterList& parameters, Verb verb) {
  std::visit(
      Overloaded{
          [&](const HealthRoute&) { HandleHealth(*exchange); },
          [&](const ReadyRoute&) { HandleReady(gate, *exchange); },
          [&](const MetricsRoute&) { HandleMetrics(site, *exchange); },
          [&](const IndexRoute&) { HandleIndex(site, *exchange); },
          [&](const AssetRoute& asset) { HandleAsset(asset, *exchange); },
          [&](const ExampleRoute& example) { HandleExample(site, example, *exchange); },
          [&](const WorldsRoute&) {
            if (verb == Verb::kPost) return HandleCreateWorld(site, exchange, parameters);
            HandleGetWorlds(site, *exchange, parameters);
          },
          [&](const WorldRoute& world) {
            if (verb == Verb::kDelete) return HandleDeleteWorld(site, world, exchange, parameters);
            HandleGetWorld(site, world, exchange, parameters);
          },
          [&](const HeightsRoute& world) { HandleHeights(site, world, exchange, parameters); },
          [&](const TileJsonRoute& world) { HandleTileJson(site, world, exchange, parameters); },
          [&](const TileRoute& tile) { HandleGetTile(site, tile, exchange, parameters); },
          [&](const LayerJsonRoute& layer) { HandleLayerJson(site, layer, exchange, parameters); },
          [&](const MeshRoute& mesh) { HandleGetMesh(site, mesh, exchange, parameters); },
          [&](const PictureJsonRoute& json) {
            HandlePictureJson(site, json, exchange, parameters);
          },
          [&](const PictureRoute& picture) {
            HandleGetPicture(site, picture, exchange, parameters);
          },
          [&](const TilesetRoute& tileset) { HandleTileset(site, tileset, exchange, parameters); },
          [&](const ContentRoute& content) {
            HandleGetContent(site, content, exchange, parameters);
          },
          [&](const SubtreeRoute& subtree) {
            HandleGetSubtree(site, subtree, exchange, parameters);
          },
      },
      route);
}

// For servers that have only /metrics.
void HandleOnlyMetrics(const Site& site, const Route& route, Exchange& exchange) {
  if (std::holds_alternative<MetricsRoute>(route)) return HandleMetrics(site, exchange);
  exchange.Fail(
      absl::NotFoundError("unknown path: expected /metrics, the only path of this address"));
}

}  // namespace

void DispatchRequest(const Site& site, calls::CallGate& gate, const ExchangePointer& exchange) {
  const boost::beast::http::verb method = exchange->message().method();
  const std::optional<Verb> verb = VerbOf(method);
  auto target = ParseTarget(OriginFormOf(exchange->target()));
  const std::string_view own_path = PathOf(site.options->public_url);
  absl::StatusOr<Route> route =
      target.ok() ? RouteBelow(own_path, *target) : absl::StatusOr<Route>(target.status());
  exchange->Begin(site.engine.listeners, route.ok() ? MethodOf(*route, verb.value_or(Verb::kRead))
                                                    : calls::Method::kHttpOther);
  if (!CheckOwnHost(site, *exchange)) return;
  if (target.ok() && target->segments.empty()) return RedirectIntoFolder(own_path, *exchange);
  if (!route.ok()) return exchange->Fail(route.status());
  if (method == boost::beast::http::verb::options) return AnswerPreflight(*route, *exchange);
  if (!verb || !Allows(*route, *verb)) return RefuseVerb(*exchange, *route);
  if (!OnlyReads(*route, *verb)) {
    const absl::Status own = CheckOwnOrigin(site, *exchange);
    if (!own.ok()) return exchange->Fail(own);
  }
  if (site.options->only_metrics) return HandleOnlyMetrics(site, *route, *exchange);
  if (const auto scope = ScopeOf(*route, *verb)) {
    const absl::Status admitted = Admit(site, gate, *exchange, *scope);
    if (!admitted.ok()) return exchange->Fail(admitted);
  }
  Handle(site, gate, exchange, *route, target->parameters, *verb);
}

}  // namespace thalweg::http
