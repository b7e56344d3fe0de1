// Finds the route that a request's path names.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "absl/status/statusor.h"
#include "proto/wire/tile_key.h"
#include "server/calls/call_listener.h"
#include "server/geographic/picture_query.h"
#include "server/geographic/tiling.h"
#include "server/http/target.h"
#include "server/tiles3d/cell.h"

namespace thalweg::http {

struct HealthRoute {};
struct ReadyRoute {};
struct MetricsRoute {};
struct IndexRoute {};
struct AssetRoute {
  std::string name;
};
// A page of the examples.
struct ExampleRoute {
  // The path after "/examples": "", "/", "/cesium/", "/cesium/tiles.html".
  std::string path;
};
struct WorldsRoute {};
struct WorldRoute {
  std::string world;
};
// Heights at points.
struct HeightsRoute {
  std::string world;
};
struct TileJsonRoute {
  std::string world;
};
// A tile by its key; for XYZ the key has zoom, column and row until the window is known.
struct TileRoute {
  std::string world;
  wire::TileKey key;
  // The text after the row: "terrarium.png".
  std::string extension;
  bool xyz = false;
};

// The description of a globe's ground: layer.json.
struct LayerJsonRoute {
  std::string world;
};
// A tile of a globe's ground. Rows count from the south.
struct MeshRoute {
  std::string world;
  geographic::GlobeTile tile;
};
// Pictures of a globe: their TileJSON, and a tile. Rows count from the north.
struct PictureJsonRoute {
  std::string world;
  geographic::Picture picture = geographic::Picture::kSatellite;
};
struct PictureRoute {
  std::string world;
  geographic::Picture picture = geographic::Picture::kSatellite;
  geographic::GlobeTile tile;
};
// A planet as 3D Tiles: the tileset, the content of a tile, and a file of a subtree.
struct TilesetRoute {
  std::string world;
  // Whether bounding volumes are always boxes.
  bool boxes = false;
};
struct ContentRoute {
  std::string world;
  tiles3d::Cell cell;
};
struct SubtreeRoute {
  std::string world;
  tiles3d::Cell root;
  // "subtree" or "json".
  std::string extension;
};

using Route = std::variant<HealthRoute, ReadyRoute, MetricsRoute, IndexRoute, AssetRoute,
                           ExampleRoute, WorldsRoute, WorldRoute, HeightsRoute, TileJsonRoute,
                           TileRoute, LayerJsonRoute, MeshRoute, PictureJsonRoute, PictureRoute,
                           TilesetRoute, ContentRoute, SubtreeRoute>;

// NOT_FOUND for an unknown path, and for a tile with invalid or too large numbers.
absl::StatusOr<Route> RouteOf(const Target& target);

// Whether a target names the health, the readiness or the metrics of the server, below any path.
// Such requests are answered before all that wait for their turn.
bool AsksAboutServer(std::string_view target);

// What a request does with a route. GET and HEAD read; POST creates, or asks a question.
enum class Verb { kRead, kPost, kDelete };

// Whether the route allows the verb.
bool Allows(const Route& route, Verb verb);

// Whether a request only reads, also by POST.
bool OnlyReads(const Route& route, Verb verb);

// The method that listeners get.
calls::Method MethodOf(const Route& route, Verb verb);

}  // namespace thalweg::http
