#include "client/src/calls/region_plan.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "client/src/contract/messages.h"
#include "proto/wire/invalid.h"
#include "proto/wire/limits.h"
#include "proto/wire/status_macros.h"
#include "proto/wire/tile_key.h"

namespace thalweg {
namespace {

// The distance from `first` to `value`, which is not smaller; exact for all 64-bit values.
std::uint64_t Past(std::int64_t value, std::int64_t first) {
  return static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(first);
}

static_assert(kTileCells == wire::kTileCells && kTileVertices == wire::kTileVertices &&
              kMaxStreamTiles == wire::kMaxRectangleTiles);

// Along one axis, the first tile of a region, and how many tiles it needs.
struct Span {
  std::int64_t first;
  std::int64_t count;
};

absl::StatusOr<Span> PlanAxis(std::int64_t begin, int size) {
  std::int64_t last_vertex = 0;
  if (__builtin_add_overflow(begin, size - 1, &last_vertex)) {
    return wire::Invalid("region",
                         absl::StrCat("vertices of ", -wire::kMaxVertex, " to ", wire::kMaxVertex),
                         absl::StrCat(size, " from ", begin), absl::StatusCode::kOutOfRange);
  }
  // A vertex on an edge belongs to two tiles. The first vertex comes from the tile that begins with
  // it, unless it is the only vertex: the world may end there. The last vertex comes from the tile
  // that ends with it.
  const std::int64_t first = (size == 1 && begin > 0 ? begin - 1 : begin) >> wire::kTileBits;
  const std::int64_t last = last_vertex > begin ? (last_vertex - 1) >> wire::kTileBits : first;
  return Span{first, last - first + 1};
}

absl::Status CheckSide(const char* name, int size) {
  if (size >= 1 && size <= kMaxRegionSide) return absl::OkStatus();
  return wire::Invalid(name, absl::StrCat("1 to ", kMaxRegionSide, " vertices"), size);
}

// Where the vertices of a tile and of a region overlap along one axis.
struct Overlap {
  std::size_t in_tile;
  std::size_t in_region;
  std::size_t count;
};

Overlap Meet(std::int64_t tile, std::int64_t begin, int size) {
  const std::int64_t tile_begin = tile * kTileCells;
  // The difference is small: less than a tile plus a region's side.
  const std::int64_t offset = tile_begin - begin;
  const std::int64_t from = std::max<std::int64_t>(offset, 0);
  const std::int64_t to = std::min<std::int64_t>(offset + kTileVertices, size);
  if (to <= from) return {0, 0, 0};
  return {static_cast<std::size_t>(from - offset), static_cast<std::size_t>(from),
          static_cast<std::size_t>(to - from)};
}

}  // namespace

MissingTiles::MissingTiles(const TileRectangle& rectangle)
    : rectangle_(rectangle),
      arrived_(static_cast<std::size_t>(rectangle.columns * rectangle.rows), false),
      missing_in_row_(static_cast<std::size_t>(rectangle.rows), rectangle.columns),
      missing_(rectangle.columns * rectangle.rows) {}

bool MissingTiles::Contains(const TileKey& key) const {
  const TileKey& first = rectangle_.first;
  return key.face == first.face && key.level == first.level && key.x >= first.x &&
         key.y >= first.y &&
         Past(key.x, first.x) < static_cast<std::uint64_t>(rectangle_.columns) &&
         Past(key.y, first.y) < static_cast<std::uint64_t>(rectangle_.rows);
}

bool MissingTiles::MarkArrived(const TileKey& key) {
  const std::size_t row = Past(key.y, rectangle_.first.y);
  const std::size_t column = Past(key.x, rectangle_.first.x);
  const std::size_t index = row * static_cast<std::size_t>(rectangle_.columns) + column;
  if (arrived_[index]) return false;
  arrived_[index] = true;
  --missing_in_row_[row];
  --missing_;
  return true;
}

TileRectangle MissingTiles::Remaining() const {
  std::int64_t first = 0;
  std::int64_t last = rectangle_.rows - 1;
  while (missing_in_row_[static_cast<std::size_t>(first)] == 0) ++first;
  while (missing_in_row_[static_cast<std::size_t>(last)] == 0) --last;
  TileRectangle remaining = rectangle_;
  remaining.first.y += first;
  remaining.rows = last - first + 1;
  return remaining;
}

TileRectangle ReceivedTiles::Begin() {
  const TileRectangle remaining = missing_.Remaining();
  asked_for_ = remaining.columns * remaining.rows;
  came_ = 0;
  return remaining;
}

absl::StatusOr<std::optional<Tile>> ReceivedTiles::Receive(const v1::Tile& message) {
  THALWEG_RETURN_IF_ERROR(CheckTileKey(message));
  const TileKey key = FromMessage(message.key());
  if (!missing_.Contains(key)) {
    return absl::DataLossError(
        absl::StrCat("invalid tile: expected one of the rectangle, got ", Describe(key)));
  }
  if (++came_ > asked_for_) {
    return absl::DataLossError(
        absl::StrCat("the server sent too many tiles: the stream has ", asked_for_));
  }
  if (!missing_.MarkArrived(key)) return std::nullopt;
  THALWEG_ASSIGN_OR_RETURN(Tile tile, FromMessage(message, form_));
  if (world_id_.empty()) world_id_ = tile.world_id;
  if (tile.world_id != world_id_) {
    return absl::DataLossError(absl::StrCat("tile ", Describe(key), ": invalid world id: expected ",
                                            world_id_, ", got ", tile.world_id));
  }
  return tile;
}

absl::StatusOr<TileRectangle> PlanRegion(const RegionRequest& request) {
  THALWEG_RETURN_IF_ERROR(CheckSide("width", request.width));
  THALWEG_RETURN_IF_ERROR(CheckSide("height", request.height));
  const std::set<Layer> distinct(request.layers.begin(), request.layers.end());
  if (distinct.empty()) return absl::InvalidArgumentError("layers is empty");
  if (distinct.size() != request.layers.size()) {
    return absl::InvalidArgumentError("layers has a layer twice");
  }
  THALWEG_ASSIGN_OR_RETURN(const Span columns, PlanAxis(request.x0, request.width));
  THALWEG_ASSIGN_OR_RETURN(const Span rows, PlanAxis(request.y0, request.height));
  return TileRectangle{
      .first = {.level = request.level, .x = columns.first, .y = rows.first, .face = request.face},
      .columns = columns.count,
      .rows = rows.count};
}

Region EmptyRegion(const RegionRequest& request) {
  Region region{.level = request.level,
                .face = request.face,
                .x0 = request.x0,
                .y0 = request.y0,
                .width = request.width,
                .height = request.height,
                .planes = {}};
  const std::size_t vertices =
      static_cast<std::size_t>(request.width) * static_cast<std::size_t>(request.height);
  for (const Layer layer : request.layers) {
    region.planes.push_back({layer, std::vector<std::int32_t>(vertices)});
  }
  return region;
}

void CopyTile(const Tile& tile, Region& region) {
  const Overlap x = Meet(tile.key.x, region.x0, region.width);
  const Overlap y = Meet(tile.key.y, region.y0, region.height);
  const std::size_t width = static_cast<std::size_t>(region.width);
  for (std::size_t p = 0; p < region.planes.size(); ++p) {
    for (std::size_t row = 0; row < y.count; ++row) {
      const auto from = tile.planes[p].values.begin() +
                        static_cast<std::ptrdiff_t>((y.in_tile + row) * kTileVertices + x.in_tile);
      const auto to = region.planes[p].values.begin() +
                      static_cast<std::ptrdiff_t>((y.in_region + row) * width + x.in_region);
      std::copy_n(from, x.count, to);
    }
  }
}

}  // namespace thalweg
