// The routes of HTTP, and which of them a request's path names.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "proto/wire/tile_key.h"
#include "server/access/caller.h"
#include "server/calls/call_listener.h"
#include "server/geographic/picture_query.h"
#include "server/http/target.h"

namespace thalweg::http {

struct Request;

// GET and HEAD read; POST creates, or asks a question.
enum class Verb { kRead, kPost, kDelete };

struct Route {
  // "/v1/worlds/{world}". Read in router.cc knows the placeholders.
  std::string_view path;
  Verb verb;
  // The method that listeners get.
  calls::Method method;
  // What its callers need; empty if it is open to everyone, also while the server drains.
  std::optional<access::Scope> scope;
  void (*handle)(const Request& request);

  // Whether it creates or deletes something.
  bool changes() const { return verb != Verb::kRead && scope != access::Scope::kRead; }
};

// What the placeholders of a path stand for.
struct PathValues {
  std::string world;
  // A file of the viewer, or the path after "/examples": "", "/", "/cesium/tiles.html".
  std::string file;
  geographic::Picture picture = geographic::Picture::kSatellite;
  // The numbers that name a tile; for tiles of maps and globes their level is the zoom.
  wire::TileKey tile;
  // The text after the tile's row: "terrarium.png".
  std::string extension;
};

struct Match {
  // The path's routes, one a verb.
  std::span<const Route> routes;
  PathValues values;

  // Null if the path does not allow the verb.
  const Route* Find(Verb verb) const;
};

// NOT_FOUND for an unknown path, and for a tile with invalid or too large numbers.
absl::StatusOr<Match> RoutesOf(const Target& target);

// Whether a target names the health, the readiness or the metrics of the server, below any path.
// Such requests are answered before all that wait for their turn.
bool AsksAboutServer(std::string_view target);

}  // namespace thalweg::http
