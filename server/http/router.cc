#include "server/http/router.h"

#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "proto/wire/status_macros.h"
#include "server/http/parameters.h"

namespace thalweg::http {
namespace {

absl::Status NoSuchPath() {
  return absl::NotFoundError("unknown path: see /v1/worlds, whose documents have URLs");
}

// The last three segments of a tile's path: level, column and row.
struct Numbers {
  int level = 0;
  std::int64_t x = 0;
  std::int64_t y = 0;
  // The text after the first dot: "terrarium.png" of "2.terrarium.png".
  std::string extension;
};

absl::StatusOr<Numbers> NumbersOf(const std::vector<std::string>& segments) {
  const std::size_t first = segments.size() - 3;
  const std::string& last = segments.back();
  const std::size_t dot = last.find('.');
  if (dot == std::string::npos) return NoSuchPath();
  const auto level = ParseDecimal(segments[first]);
  const auto x = ParseDecimal(segments[first + 1]);
  const auto y = ParseDecimal(std::string_view(last).substr(0, dot));
  // Worlds have fewer than 100 levels.
  if (!level || *level < 0 || *level > 99 || !x || !y) {
    return absl::NotFoundError(
        "invalid tile: expected LEVEL/COLUMN/ROW as decimal numbers, got something else");
  }
  return Numbers{static_cast<int>(*level), *x, *y, last.substr(dot + 1)};
}

absl::StatusOr<Route> TileRouteOf(const std::vector<std::string>& segments) {
  THALWEG_ASSIGN_OR_RETURN(Numbers numbers, NumbersOf(segments));
  return TileRoute{.world = segments[2],
                   .key = {.face = 0, .level = numbers.level, .x = numbers.x, .y = numbers.y},
                   .extension = std::move(numbers.extension),
                   .xyz = segments[3] == "xyz"};
}

absl::Status NoSuchExtension(absl::string_view expected, const std::string& got) {
  return InvalidText("extension", expected, got, absl::StatusCode::kNotFound);
}

// Parses paths after "cesium".
absl::StatusOr<Route> GroundRouteOf(const std::vector<std::string>& segments) {
  if (segments.size() == 5 && segments[4] == "layer.json") return LayerJsonRoute{segments[2]};
  if (segments.size() != 7) return NoSuchPath();
  THALWEG_ASSIGN_OR_RETURN(const Numbers numbers, NumbersOf(segments));
  if (numbers.extension != "terrain") return NoSuchExtension("terrain", numbers.extension);
  return MeshRoute{segments[2], {numbers.level, numbers.x, numbers.y}};
}

// Parses paths after "globe".
absl::StatusOr<Route> PictureRouteOf(const std::vector<std::string>& segments) {
  if (segments.size() != 6 && segments.size() != 8) return NoSuchPath();
  const auto picture = geographic::PictureOf(segments[4]);
  if (!picture) {
    return InvalidText("picture", "satellite, relief or cover", segments[4],
                       absl::StatusCode::kNotFound);
  }
  if (segments.size() == 6) {
    if (segments[5] != "tilejson.json") return NoSuchPath();
    return PictureJsonRoute{segments[2], *picture};
  }
  THALWEG_ASSIGN_OR_RETURN(const Numbers numbers, NumbersOf(segments));
  if (numbers.extension != "png") return NoSuchExtension("png", numbers.extension);
  return PictureRoute{segments[2], *picture, {numbers.level, numbers.x, numbers.y}};
}

// Parses paths after "3dtiles".
absl::StatusOr<Route> Tiles3dRouteOf(const std::vector<std::string>& segments) {
  if (segments.size() == 5 && segments[4] == "tileset.json") return TilesetRoute{segments[2]};
  if (segments.size() == 5 && segments[4] == "boxes.json") return TilesetRoute{segments[2], true};
  const bool subtree = segments.size() == 9 && segments[5] == "subtrees";
  if (segments.size() != 8 && !subtree) return NoSuchPath();
  THALWEG_ASSIGN_OR_RETURN(Numbers numbers, NumbersOf(segments));
  const auto face = ParseDecimal(segments[4]);
  if (!face || *face < 0 || *face > 5) {
    return InvalidText("face", "0 to 5", segments[4], absl::StatusCode::kNotFound);
  }
  const tiles3d::Cell cell = {static_cast<int>(*face), numbers.level, numbers.x, numbers.y};
  if (!subtree) {
    if (numbers.extension != "glb") return NoSuchExtension("glb", numbers.extension);
    return ContentRoute{segments[2], cell};
  }
  if (numbers.extension != "subtree" && numbers.extension != "json") {
    return NoSuchExtension("subtree or json", numbers.extension);
  }
  return SubtreeRoute{segments[2], cell, std::move(numbers.extension)};
}

absl::StatusOr<Route> RouteOfVersion1(const std::vector<std::string>& segments) {
  if (segments.size() < 2 || segments[1] != "worlds") return NoSuchPath();
  if (segments.size() == 2) return WorldsRoute{};
  if (segments[2].empty()) return NoSuchPath();
  if (segments.size() == 3) return WorldRoute{segments[2]};
  if (segments.size() == 4 && segments[3] == "tilejson.json") return TileJsonRoute{segments[2]};
  if (segments.size() == 4 && segments[3] == "heights") return HeightsRoute{segments[2]};
  if (segments.size() == 7 && (segments[3] == "tiles" || segments[3] == "xyz")) {
    return TileRouteOf(segments);
  }
  if (segments[3] == "cesium") return GroundRouteOf(segments);
  if (segments[3] == "globe") return PictureRouteOf(segments);
  if (segments[3] == "3dtiles") return Tiles3dRouteOf(segments);
  return NoSuchPath();
}

// Parses paths after "examples".
Route ExampleRouteOf(const std::vector<std::string>& segments) {
  ExampleRoute route;
  for (std::size_t k = 1; k < segments.size(); ++k) absl::StrAppend(&route.path, "/", segments[k]);
  return route;
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
  if (first == "examples") return ExampleRouteOf(segments);
  if (segments.size() > 1) return NoSuchPath();
  if (first.empty()) return IndexRoute{};
  if (first == "healthz") return HealthRoute{};
  if (first == "readyz") return ReadyRoute{};
  if (first == "metrics") return MetricsRoute{};
  return NoSuchPath();
}

bool AsksAboutServer(std::string_view target) {
  const std::string_view path = target.substr(0, target.find('?'));
  const std::string_view last = path.substr(path.rfind('/') + 1);
  return last == "healthz" || last == "readyz" || last == "metrics";
}

bool Allows(const Route& route, Verb verb) {
  switch (verb) {
    case Verb::kRead:
      return !std::holds_alternative<HeightsRoute>(route);
    case Verb::kPost:
      return std::holds_alternative<WorldsRoute>(route) ||
             std::holds_alternative<HeightsRoute>(route);
    case Verb::kDelete:
      return std::holds_alternative<WorldRoute>(route);
  }
  return false;
}

bool OnlyReads(const Route& route, Verb verb) {
  return verb == Verb::kRead || std::holds_alternative<HeightsRoute>(route);
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
          [](const HeightsRoute&) { return Method::kHttpHeights; },
          [](const TileJsonRoute&) { return Method::kHttpTileJson; },
          [](const LayerJsonRoute&) { return Method::kHttpTileJson; },
          [](const PictureJsonRoute&) { return Method::kHttpTileJson; },
          [](const TilesetRoute&) { return Method::kHttpTileJson; },
          [](const TileRoute&) { return Method::kHttpTile; },
          [](const MeshRoute&) { return Method::kHttpTile; },
          [](const PictureRoute&) { return Method::kHttpTile; },
          [](const ContentRoute&) { return Method::kHttpTile; },
          [](const SubtreeRoute&) { return Method::kHttpTile; },
          [](const MetricsRoute&) { return Method::kHttpMetrics; },
          [](const auto&) { return Method::kHttpOther; },
      },
      route);
}

}  // namespace thalweg::http
