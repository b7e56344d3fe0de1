#include "server/http/router.h"

#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"

namespace thalweg::http {
namespace {

absl::Status NoSuchPath() { return absl::NotFoundError("there is no such path"); }

// Of "2.terrarium.png" what stands before and behind the first dot.
absl::StatusOr<Route> TileRouteOf(const std::vector<std::string>& segments) {
  const std::string& last = segments[6];
  const std::size_t dot = last.find('.');
  if (dot == std::string::npos) return NoSuchPath();
  const auto level = ParseDecimal(segments[4]);
  const auto x = ParseDecimal(segments[5]);
  const auto y = ParseDecimal(std::string_view(last).substr(0, dot));
  // A level of three digits is none of any world's.
  if (!level || *level < 0 || *level > 99 || !x || !y) {
    return absl::NotFoundError("a tile's level, column and row must be plain decimal numbers");
  }
  return TileRoute{.world = segments[2],
                   .key = {.face = 0, .level = static_cast<int>(*level), .x = *x, .y = *y},
                   .extension = last.substr(dot + 1),
                   .xyz = segments[3] == "xyz"};
}

absl::StatusOr<Route> RouteOfVersion1(const std::vector<std::string>& segments) {
  if (segments.size() < 2 || segments[1] != "worlds") return NoSuchPath();
  if (segments.size() == 2) return WorldsRoute{};
  if (segments[2].empty()) return NoSuchPath();
  if (segments.size() == 3) return WorldRoute{segments[2]};
  if (segments.size() == 4 && segments[3] == "tilejson.json") return TileJsonRoute{segments[2]};
  if (segments.size() == 7 && (segments[3] == "tiles" || segments[3] == "xyz")) {
    return TileRouteOf(segments);
  }
  return NoSuchPath();
}

template <typename... Ts>
struct Overloaded : Ts... {
  using Ts::operator()...;
};
template <typename... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;

}  // namespace

absl::StatusOr<Route> RouteOf(const Target& target) {
  const std::vector<std::string>& segments = target.segments;
  if (segments.empty()) return NoSuchPath();
  const std::string& first = segments.front();
  if (first == "v1") return RouteOfVersion1(segments);
  if (first == "assets" && segments.size() == 2) return AssetRoute{segments[1]};
  if (segments.size() > 1) return NoSuchPath();
  if (first.empty()) return IndexRoute{};
  if (first == "healthz") return HealthRoute{};
  if (first == "readyz") return ReadyRoute{};
  if (first == "metrics") return MetricsRoute{};
  return NoSuchPath();
}

bool Allows(const Route& route, Verb verb) {
  switch (verb) {
    case Verb::kRead:
      return true;
    case Verb::kPost:
      return std::holds_alternative<WorldsRoute>(route);
    case Verb::kDelete:
      return std::holds_alternative<WorldRoute>(route);
  }
  return false;
}

calls::Method MethodOf(const Route& route, Verb verb) {
  using calls::Method;
  return std::visit(
      Overloaded{
          [verb](const WorldsRoute&) {
            return verb == Verb::kPost ? Method::kHttpCreateWorld : Method::kHttpWorlds;
          },
          [verb](const WorldRoute&) {
            return verb == Verb::kDelete ? Method::kHttpDeleteWorld : Method::kHttpWorld;
          },
          [](const TileJsonRoute&) { return Method::kHttpTileJson; },
          [](const TileRoute&) { return Method::kHttpTile; },
          [](const MetricsRoute&) { return Method::kHttpMetrics; },
          [](const auto&) { return Method::kHttpOther; },
      },
      route);
}

}  // namespace thalweg::http
