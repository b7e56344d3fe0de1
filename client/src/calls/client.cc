#include "thalweg/client.h"

#include <cmath>
#include <limits>
#include <span>
#include <tuple>
#include <utility>

#include "client/src/calls/region_plan.h"
#include "client/src/connection/transport.h"
#include "client/src/contract/messages.h"
#include "proto/geometry/cube_sphere.h"
#include "proto/wire/invalid.h"
#include "proto/wire/limits.h"
#include "proto/wire/status_macros.h"

namespace thalweg {
namespace {

// Puts the operation before an error's message. OK stays OK.
absl::Status Prefix(std::string_view operation, const absl::Status& status) {
  return absl::Status(
      status.code(),
      absl::StrCat(absl::string_view(operation.data(), operation.size()), ": ", status.message()));
}

absl::Status CheckRectangle(const TileRectangle& rectangle) {
  const auto fits = [](std::int64_t side) { return side >= 1 && side <= kMaxStreamTiles; };
  if (fits(rectangle.columns) && fits(rectangle.rows) &&
      rectangle.columns * rectangle.rows <= kMaxStreamTiles) {
    return absl::OkStatus();
  }
  return wire::Invalid("rectangle", absl::StrCat("1 to ", kMaxStreamTiles, " tiles"),
                       absl::StrCat(rectangle.columns, " x ", rectangle.rows));
}

absl::Status CheckLevel(int level) {
  if (level >= 0) return absl::OkStatus();
  return wire::Invalid("level", "min 0", level, absl::StatusCode::kOutOfRange);
}

// A request for heights that has no points yet.
v1::SampleHeightsRequest SampleForm(const std::string& world, int level, Priority priority) {
  v1::SampleHeightsRequest request;
  request.set_world(world);
  request.set_level(static_cast<std::uint32_t>(level));
  request.set_priority(static_cast<v1::Priority>(priority));
  return request;
}

// Samples heights with as many calls as the points need. `tile_of` identifies the tile of a point,
// `add` adds a point to a request.
template <typename Transport, typename Point, typename TileOf, typename Add>
absl::StatusOr<std::vector<std::int32_t>> SampleAll(Transport& transport,
                                                    const v1::SampleHeightsRequest& form,
                                                    const std::vector<Point>& points,
                                                    TileOf tile_of, Add add) {
  const auto level = static_cast<int>(form.level());
  const std::string operation = absl::StrCat("sample ", points.size(), " heights at level ", level,
                                             " of '", form.world(), "'");
  THALWEG_RETURN_IF_ERROR(Prefix(operation, CheckLevel(level)));
  std::vector<std::int32_t> heights;
  heights.reserve(points.size());
  while (heights.size() < points.size()) {
    const std::span<const Point> rest = std::span(points).subspan(heights.size());
    const std::size_t count =
        SampleBatch(rest, tile_of, wire::kMaxSamplePoints, wire::kMaxSampleTiles);
    v1::SampleHeightsRequest request = form;
    for (const Point& point : rest.first(count)) add(point, request);
    THALWEG_ASSIGN_OR_RETURN(const v1::SampleHeightsResponse response,
                             transport.SampleHeights(operation, request));
    THALWEG_RETURN_IF_ERROR(Prefix(operation, CheckHeights(response, count)));
    heights.insert(heights.end(), response.heights().begin(), response.heights().end());
  }
  return heights;
}

}  // namespace

Client::Client(std::unique_ptr<Transport> transport) : transport_(std::move(transport)) {}

Client::~Client() = default;

absl::StatusOr<std::unique_ptr<Client>> Client::Connect(std::string_view address,
                                                        const ClientOptions& options) {
  THALWEG_ASSIGN_OR_RETURN(auto transport, Transport::Open(address, options));
  return std::unique_ptr<Client>(new Client(std::move(transport)));
}

absl::StatusOr<std::vector<WorldInfo>> Client::ListWorlds() {
  constexpr std::string_view kOperation = "list worlds";
  std::vector<WorldInfo> worlds;
  v1::ListWorldsRequest request;
  std::string last_name;
  do {
    THALWEG_ASSIGN_OR_RETURN(v1::ListWorldsResponse page,
                             transport_->ListWorlds(kOperation, request));
    THALWEG_RETURN_IF_ERROR(Prefix(kOperation, CheckWorlds(page, last_name, worlds.size())));
    for (const v1::World& message : page.worlds()) {
      THALWEG_ASSIGN_OR_RETURN(WorldInfo world, FromMessage(message));
      worlds.push_back(std::move(world));
      last_name = message.spec().name();
    }
    // Without this check a server could send empty pages for ever.
    if (!page.next_page_token().empty() &&
        (page.worlds().empty() || page.next_page_token() == request.page_token())) {
      return Prefix(kOperation, absl::DataLossError("the server sent the same page again"));
    }
    request.set_page_token(std::move(*page.mutable_next_page_token()));
  } while (!request.page_token().empty());
  return worlds;
}

absl::StatusOr<WorldInfo> Client::GetWorld(const std::string& world) {
  v1::GetWorldRequest request;
  request.set_world(world);
  const std::string operation = absl::StrCat("get world '", world, "'");
  THALWEG_ASSIGN_OR_RETURN(const v1::World response, transport_->GetWorld(operation, request));
  absl::StatusOr<WorldInfo> info = FromMessage(response);
  if (!info.ok()) return Prefix(operation, info.status());
  THALWEG_RETURN_IF_ERROR(Prefix(operation, CheckIsWorld(response, world)));
  return info;
}

absl::StatusOr<CreatedWorld> Client::CreateWorld(const std::string& specification,
                                                 const CreateWorldOptions& options) {
  v1::CreateWorldRequest request;
  request.set_keep(options.keep);
  request.set_replace(options.replace);
  constexpr char kOperation[] = "create world";
  auto spec = ParseWorldSpec(specification);
  if (!spec.ok()) return Prefix(kOperation, spec.status());
  *request.mutable_spec() = *std::move(spec);
  THALWEG_ASSIGN_OR_RETURN(const v1::CreateWorldResponse response,
                           transport_->CreateWorld(kOperation, request));
  absl::StatusOr<WorldInfo> world = FromMessage(response.world());
  if (!world.ok()) return Prefix(kOperation, world.status());
  return CreatedWorld{.world = *std::move(world),
                      .is_new = response.created(),
                      .has_replaced = response.replaced(),
                      .warnings = {response.warnings().begin(), response.warnings().end()}};
}

absl::StatusOr<DeletedWorld> Client::DeleteWorld(const std::string& world) {
  v1::DeleteWorldRequest request;
  request.set_world(world);
  const std::string operation = absl::StrCat("delete world '", world, "'");
  THALWEG_ASSIGN_OR_RETURN(const v1::DeleteWorldResponse response,
                           transport_->DeleteWorld(operation, request));
  return DeletedWorld{.is_gone = response.gone()};
}

absl::StatusOr<Tile> Client::GetTile(const std::string& world, const TileKey& key,
                                     const TileOptions& options) {
  const std::string operation = absl::StrCat("get tile ", Describe(key), " of '", world, "'");
  THALWEG_RETURN_IF_ERROR(Prefix(operation, CheckLevel(key.level)));
  THALWEG_ASSIGN_OR_RETURN(const v1::Tile response,
                           transport_->GetTile(operation, TileRequestMessage(world, key, options)));
  THALWEG_RETURN_IF_ERROR(Prefix(operation, CheckTileKey(response)));
  if (FromMessage(response.key()) != key) {
    return absl::DataLossError(
        absl::StrCat(operation, ": the answer is tile ", Describe(FromMessage(response.key()))));
  }
  absl::StatusOr<Tile> tile = FromMessage(response, FormOf(options));
  if (!tile.ok()) return Prefix(operation, tile.status());
  return tile;
}

absl::Status Client::StreamTiles(const std::string& world, const TileRectangle& rectangle,
                                 const TileOptions& options, const TileCallback& callback) {
  const std::string operation =
      absl::StrCat("stream ", rectangle.columns, " x ", rectangle.rows, " tiles from ",
                   Describe(rectangle.first), " of '", world, "'");
  THALWEG_RETURN_IF_ERROR(Prefix(operation, CheckRectangle(rectangle)));
  THALWEG_RETURN_IF_ERROR(Prefix(operation, CheckLevel(rectangle.first.level)));

  ReceivedTiles received(rectangle, FormOf(options));
  const MissingTiles& missing = received.missing();
  Backoff backoff = transport_->NewBackoff();
  // The client's own error about a tile ends the stream. Only errors of the connection are retried.
  absl::Status own;
  const auto take = [&](const v1::Tile& message) -> absl::Status {
    absl::StatusOr<std::optional<Tile>> tile = received.Receive(message);
    if (!tile.ok()) return own = Prefix(operation, tile.status());
    if (!tile->has_value()) return absl::OkStatus();
    backoff.Reset();
    return own = callback(**std::move(tile));
  };
  THALWEG_RETURN_IF_ERROR(transport_->Retry(operation, backoff, [&] {
    if (missing.empty()) return absl::OkStatus();
    const absl::Status status =
        transport_->StreamTiles(StreamRequestMessage(world, received.Begin(), options), take);
    return own.ok() ? status : absl::OkStatus();
  }));
  if (!own.ok() || missing.empty()) return own;
  return Prefix(operation, absl::DataLossError("the stream ended before all tiles had arrived"));
}

absl::StatusOr<Region> Client::FetchRegion(const RegionRequest& request,
                                           const RegionProgressCallback& progress) {
  const auto plan = PlanRegion(request);
  if (!plan.ok()) {
    return Prefix(absl::StrCat("fetch a region of '", request.world, "'"), plan.status());
  }
  Region region = EmptyRegion(request);
  const TileOptions options{request.layers, request.precision, request.priority};
  const std::int64_t tiles = plan->columns * plan->rows;
  THALWEG_RETURN_IF_ERROR(StreamTiles(request.world, *plan, options, [&](const Tile& tile) {
    CopyTile(tile, region);
    ++region.tiles;
    region.wire_bytes += tile.wire_bytes;
    if (progress) progress({region.tiles, tiles, region.wire_bytes});
    return absl::OkStatus();
  }));
  return region;
}

absl::StatusOr<std::vector<std::int32_t>> Client::SampleHeights(
    const std::string& world, int level, const std::vector<GroundPoint>& points,
    Priority priority) {
  // So few points are never on too many tiles, so the size of tiles is not needed.
  double tile_side_m = std::numeric_limits<double>::infinity();
  if (points.size() > wire::kMaxSampleTiles && CheckLevel(level).ok()) {
    THALWEG_ASSIGN_OR_RETURN(const WorldInfo info, GetWorld(world));
    tile_side_m = info.CellSizeM(level) * kTileCells;
  }
  return SampleAll(
      *transport_, SampleForm(world, level, priority), points,
      [tile_side_m](const GroundPoint& point) {
        return std::pair(std::floor(point.east_m / tile_side_m),
                         std::floor(point.south_m / tile_side_m));
      },
      [](const GroundPoint& point, v1::SampleHeightsRequest& request) {
        request.add_east_m(point.east_m);
        request.add_south_m(point.south_m);
      });
}

absl::StatusOr<std::vector<std::int32_t>> Client::SamplePlanetHeights(
    const std::string& world, int level, const std::vector<LatLong>& points, Priority priority) {
  const double tiles = std::ldexp(1.0, level);
  return SampleAll(
      *transport_, SampleForm(world, level, priority), points,
      [tiles](const LatLong& point) {
        const auto place =
            sphere::PlaceOf(sphere::PointOf(sphere::LatLong{point.latitude, point.longitude}));
        return std::tuple(place.face, std::floor(place.x * tiles), std::floor(place.y * tiles));
      },
      [](const LatLong& point, v1::SampleHeightsRequest& request) {
        request.add_latitude_deg(point.latitude);
        request.add_longitude_deg(point.longitude);
      });
}

}  // namespace thalweg
