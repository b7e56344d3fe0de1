// SPDX-License-Identifier: Apache-2.0

// A connection to a terrain server.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "thalweg/export.h"
#include "thalweg/region.h"
#include "thalweg/sample.h"
#include "thalweg/tile.h"
#include "thalweg/tls.h"
#include "thalweg/world_info.h"

namespace thalweg {

// How to connect, how long to wait, and how often to try again.
struct ClientOptions {
  // Absent: the connection is not encrypted.
  std::optional<TlsOptions> tls;
  // The token for servers that ask for one; empty: none.
  std::string token;
  // Whether the token may be sent unencrypted to other machines.
  bool token_in_clear = false;
  // How long Connect waits for a server.
  std::chrono::milliseconds connect_timeout{2'000};
  // Max duration of one attempt of a call with one response.
  std::chrono::milliseconds call_timeout{60'000};
  // Max time between two messages of a stream.
  std::chrono::milliseconds stream_timeout{120'000};
  // Max attempts of a call while the server answers UNAVAILABLE or RESOURCE_EXHAUSTED. In a stream,
  // the count starts again with every tile that arrives. A view gives up after this many sessions
  // in a row in which the server broke the protocol.
  int max_attempts = 5;
  // The pause after the first failed attempt; it doubles after each further one, up to max_backoff.
  std::chrono::milliseconds first_backoff{100};
  std::chrono::milliseconds max_backoff{2'000};
  // The longest delay that a server may ask for with RESOURCE_EXHAUSTED. The client waits and calls
  // again, up to max_attempts attempts in all. With a longer delay the call fails at once.
  std::chrono::milliseconds max_retry_delay{60'000};
};

// Takes a tile of a stream. StreamTiles ends at the first status that is not OK, and returns it.
using TileCallback = std::function<absl::Status(Tile tile)>;

// A connection to one server. Calls block. Thread-safe.
//
//   auto client = thalweg::Client::Connect("127.0.0.1:7070");
//   if (!client.ok()) return client.status();
//   const auto tile = (*client)->GetTile("alpine", {.level = 4, .x = 3, .y = -1});
//   if (!tile.ok()) return tile.status();
//   const double north_west_m = tile->planes[0].values[0] / 65'536.0;
//
// Every error keeps the server's code and begins with the operation and its object, such as
// "get world 'alps': ...".
//
// - UNAVAILABLE: the server could not be reached.
// - DEADLINE_EXCEEDED: it did not answer in time.
// - DATA_LOSS: its answer can't be decoded, or is not the one that was asked for.
// - INTERNAL: its answer breaks the protocol.
// - UNAUTHENTICATED: it does not know the token.
// - PERMISSION_DENIED: the token does not have the scope for this call.
// - RESOURCE_EXHAUSTED: a limit of the caller is reached, for longer than this client waits.
class THALWEG_API Client {
 public:
  // Opens a connection to HOST:PORT (or [IPV6]:PORT). INVALID_ARGUMENT for another form of address,
  // and for options that contradict each other. UNAVAILABLE if no server answers in time, or if one
  // side refuses the other's certificate.
  static absl::StatusOr<std::unique_ptr<Client>> Connect(std::string_view address,
                                                         const ClientOptions& options = {});

  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  // Lists all worlds of the server, ordered by name. A world that is created or deleted during the
  // call may be missing.
  absl::StatusOr<std::vector<WorldInfo>> ListWorlds();

  // Gets one world, by its name or its id in hexadecimal. NOT_FOUND names the known worlds.
  absl::StatusOr<WorldInfo> GetWorld(const std::string& world);

  // Adds a world to the server, from its specification (thalweg.v1.WorldSpec) as JSON or in text
  // form. If the server has the same world, it returns that one. What does not decide the terrain,
  // such as the showplace, takes effect also if the world exists.
  //
  //   const auto made = (*client)->CreateWorld(R"({"name": "plain", "base": {"constant": 10},
  //                                                "rules": [{}]})");
  //
  // The server may remove the world later, to make room for others. A call then fails with
  // NOT_FOUND; create the world again, and it gets the same id. INVALID_ARGUMENT names the wrong
  // field. ALREADY_EXISTS: another world has the name. RESOURCE_EXHAUSTED: no world can be removed
  // to make room.
  absl::StatusOr<CreatedWorld> CreateWorld(const std::string& specification,
                                           const CreateWorldOptions& options = {});

  // Removes this caller's claim on a created world, by its name or id. The world exists as long as
  // another caller has a claim. FAILED_PRECONDITION for a world of the server's own. If the
  // connection broke, NOT_FOUND may mean that the first attempt succeeded.
  absl::StatusOr<DeletedWorld> DeleteWorld(const std::string& world);

  // Gets one tile: 257 x 257 values of each layer, rows from north to south. OUT_OF_RANGE for a
  // key, INVALID_ARGUMENT for a layer that the world does not have.
  absl::StatusOr<Tile> GetTile(const std::string& world, const TileKey& key,
                               const TileOptions& options = {});

  // Streams the tiles of a rectangle and calls back with each once, in no fixed order, on the
  // calling thread. After a broken connection it asks only for the missing tiles. INVALID_ARGUMENT
  // for a rectangle without tiles or with more than kMaxStreamTiles.
  //
  //   const absl::Status done = (*client)->StreamTiles(
  //       "alpine", {.first = {.level = 4, .x = -1, .y = -1}, .columns = 2, .rows = 2}, {},
  //       [&](thalweg::Tile tile) {
  //         tiles.push_back(std::move(tile));
  //         return absl::OkStatus();
  //       });
  absl::Status StreamTiles(const std::string& world, const TileRectangle& rectangle,
                           const TileOptions& options, const TileCallback& callback);

  // Fetches a rectangle of vertices, from the tiles under it. INVALID_ARGUMENT for a side that is
  // not 1 to kMaxRegionSide; OUT_OF_RANGE for vertices that the world does not have.
  //
  //   const auto region = (*client)->FetchRegion(
  //       {.world = "alpine", .level = 5, .x0 = -100, .y0 = 0, .width = 300, .height = 200});
  //   // region->planes[0].values has 300 x 200 heights in 1/65,536 m.
  absl::StatusOr<Region> FetchRegion(const RegionRequest& request,
                                     const RegionProgressCallback& progress = nullptr);

  // Samples the exact height of the ground at each point, in 1/65,536 m and in the order of the
  // points: bilinear between the level's vertices, rounded down. Many points take several calls;
  // fewer if points of one tile follow each other. OUT_OF_RANGE for points or a level that the
  // world does not have, INVALID_ARGUMENT for a planet.
  //
  //   const auto heights =
  //       (*client)->SampleHeights("alpine", 4, {{.east_m = 1'200, .south_m = -350.5}});
  absl::StatusOr<std::vector<std::int32_t>> SampleHeights(
      const std::string& world, int level, const std::vector<GroundPoint>& points,
      Priority priority = Priority::kInteractive);
  // The same on a planet, by latitude and longitude; INVALID_ARGUMENT for a plane.
  absl::StatusOr<std::vector<std::int32_t>> SamplePlanetHeights(
      const std::string& world, int level, const std::vector<LatLong>& points,
      Priority priority = Priority::kInteractive);

 private:
  friend class TerrainView;
  class THALWEG_HIDDEN Transport;

  explicit Client(std::unique_ptr<Transport> transport);

  // Shared with views, which outlive the client.
  std::shared_ptr<Transport> transport_;
};

}  // namespace thalweg
