// SPDX-License-Identifier: Apache-2.0

// A connection to a terrain server.
//
//   auto client = thalweg::Client::Connect("127.0.0.1:7070");
//   if (!client.ok()) return client.status();
//   auto tile = (*client)->GetTile("alps", {.level = 8, .x = 3, .y = -1});
//   std::int32_t north_west_q16 = tile->planes[0].values[0];
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

struct ClientOptions {
  // Absent: the connection is not encrypted.
  std::optional<TlsOptions> tls;
  // The token to show to a server that asks for one; empty: none.
  std::string token;
  // Whether the token may travel unencrypted to other machines.
  bool token_in_clear = false;
  // How long Connect waits for a server.
  std::chrono::milliseconds connect_timeout{2'000};
  // How long one attempt of a call with a single answer may take.
  std::chrono::milliseconds call_timeout{60'000};
  // How long a stream may stay silent.
  std::chrono::milliseconds stream_timeout{120'000};
  // How often a call is made at most while the server is UNAVAILABLE. A stream begins to count
  // again with every tile that arrives. A view opens as many sessions in a row that a server ends
  // by saying what it may not.
  int max_attempts = 5;
  // The pause after the first failed attempt; it doubles with each further one.
  std::chrono::milliseconds first_backoff{100};
  std::chrono::milliseconds max_backoff{2'000};
  // A server that says RESOURCE_EXHAUSTED and after how long to ask again is asked again then, as
  // often as one that is UNAVAILABLE; unless it says more than this.
  std::chrono::milliseconds max_retry_delay{60'000};
};

// Takes a tile of a stream. Anything but OK ends the stream and is what StreamTiles returns.
using TileCallback = std::function<absl::Status(Tile tile)>;

// Talks to one server. Calls block; they may be made from many threads at once.
//
// Every error keeps the server's code and begins with the operation and its object, such as
// "get world 'alps': ...". UNAVAILABLE means that the server could not be reached,
// DEADLINE_EXCEEDED that it did not answer in time, DATA_LOSS that what it sent can't be decoded,
// INTERNAL that it said what no server may, UNAUTHENTICATED that it does not know the token,
// PERMISSION_DENIED that the token may not do this, RESOURCE_EXHAUSTED that a limit of the token
// was used up for longer than this client waits.
class THALWEG_API Client {
 public:
  // Opens a connection to HOST:PORT (or [IPV6]:PORT). INVALID_ARGUMENT if that is not what the
  // address looks like, or the options contradict each other; UNAVAILABLE if nothing answers there
  // in time, or either side does not believe the other's certificate.
  static absl::StatusOr<std::unique_ptr<Client>> Connect(std::string_view address,
                                                         const ClientOptions& options = {});

  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  // Every world of the server, ordered by name; asks for as many pages as there are. One that is
  // created or deleted meanwhile may be among them or not.
  absl::StatusOr<std::vector<WorldInfo>> ListWorlds();

  // One world, by its name or its id in hexadecimal. NOT_FOUND names the worlds that there are.
  absl::StatusOr<WorldInfo> GetWorld(const std::string& world);

  // Adds a world to the server's, from its specification (thalweg.v1.WorldSpec) as JSON or text
  // form. One of the same terrain that is there already is given as it is. The world may make room
  // for others later: when it is NOT_FOUND, create it again, and it has the same id. `keep`
  // prevents that, and lets it outlive the server. INVALID_ARGUMENT names what is wrong with the
  // specification, ALREADY_EXISTS says that another world has its name, RESOURCE_EXHAUSTED that
  // nothing may make room for it.
  absl::StatusOr<CreatedWorld> CreateWorld(const std::string& specification, bool keep = false);

  // Takes back the claim on a created world, by its name or id; the world stays while others have
  // one. FAILED_PRECONDITION if it is the server's own. After a connection that broke, NOT_FOUND
  // may mean that the first attempt did it.
  absl::StatusOr<DeletedWorld> DeleteWorld(const std::string& world);

  // One tile.
  absl::StatusOr<Tile> GetTile(const std::string& world, const TileKey& key,
                               const TileOptions& options = {});

  // Calls back with each tile of the rectangle once, in no fixed order, on the calling thread. A
  // connection that breaks is taken up again: only what is still missing is asked for.
  // INVALID_ARGUMENT if the rectangle has more than kMaxStreamTiles tiles or none.
  absl::Status StreamTiles(const std::string& world, const TileRectangle& rectangle,
                           const TileOptions& options, const TileCallback& callback);

  // Streams the tiles under a rectangle of vertices and puts them together. INVALID_ARGUMENT if a
  // side is not 1 to kMaxRegionSide vertices; OUT_OF_RANGE if it leaves the world.
  absl::StatusOr<Region> FetchRegion(const RegionRequest& request,
                                     const RegionProgressCallback& progress = nullptr);

  // The exact height of the ground at many points, in 1/65,536 m and in their order: bilinear
  // between vertices of the level, rounded down. Takes as many calls as the points need:
  // neighbouring ones should stand together. OUT_OF_RANGE for points or a level that the world does
  // not have, INVALID_ARGUMENT for a planet.
  absl::StatusOr<std::vector<std::int32_t>> SampleHeights(
      const std::string& world, int level, const std::vector<GroundPoint>& points,
      Priority priority = Priority::kInteractive);
  // The same on a planet, by latitudes and longitudes; INVALID_ARGUMENT for a plane.
  absl::StatusOr<std::vector<std::int32_t>> SamplePlanetHeights(
      const std::string& world, int level, const std::vector<LatLong>& points,
      Priority priority = Priority::kInteractive);

 private:
  friend class TerrainView;
  class THALWEG_HIDDEN Transport;

  explicit Client(std::unique_ptr<Transport> transport);

  // A view holds on to it.
  std::shared_ptr<Transport> transport_;
};

}  // namespace thalweg
