#include "server/tile/tile_query.h"

#include <bit>
#include <limits>
#include <string>

#include "absl/strings/str_join.h"
#include "proto/wire/invalid.h"
#include "proto/wire/layer_facts.h"
#include "proto/wire/status_macros.h"
#include "proto/wire/tile_tag.h"
#include "server/tile/layers/tile_layers.h"

namespace thalweg::tile {
namespace {

// The wire's numbers are unsigned. One that does not fit into an int is invalid anyway.
int Clamped(std::uint32_t value) {
  return static_cast<int>(
      std::min<std::uint32_t>(value, static_cast<std::uint32_t>(std::numeric_limits<int>::max())));
}

absl::StatusOr<v1::Precision> ParsePrecision(int precision) {
  if (!v1::Precision_IsValid(precision)) {
    return wire::Invalid("precision", "PRECISION_LATTICE (1) or PRECISION_EXACT (2)", precision);
  }
  if (precision == v1::PRECISION_UNSPECIFIED) return v1::PRECISION_LATTICE;
  return static_cast<v1::Precision>(precision);
}

absl::Status CheckLayers(const LayerChoice& choice, const world::World& world) {
  for (const v1::Layer layer : choice.List()) {
    if (HasLayer(world, layer)) continue;
    const std::string names =
        absl::StrJoin(LayersOf(world.layers()), ", ",
                      [](std::string* out, v1::Layer other) { *out += v1::Layer_Name(other); });
    return wire::Invalid("layer", absl::StrCat("one that world '", world.name(), "' has: ", names),
                         v1::Layer_Name(layer));
  }
  return absl::OkStatus();
}

}  // namespace

static_assert(v1::Layer_MAX < 32, "a choice of layers has a bit for each, here and in cache ids");

absl::StatusOr<LayerChoice> LayerChoice::Parse(const google::protobuf::RepeatedField<int>& layers) {
  LayerChoice choice;
  if (layers.empty()) return choice;
  choice.bits_ = 0;
  for (const int layer : layers) {
    if (!v1::Layer_IsValid(layer) || layer == v1::LAYER_UNSPECIFIED) {
      return wire::Invalid("layer", absl::StrCat("1 to ", v1::Layer_MAX), layer);
    }
    const std::uint32_t bit = 1U << layer;
    if ((choice.bits_ & bit) != 0) {
      return absl::InvalidArgumentError(
          absl::StrCat("layers has ", v1::Layer_Name(layer), " twice"));
    }
    choice.bits_ |= bit;
  }
  return choice;
}

std::vector<v1::Layer> LayerChoice::List() const {
  std::vector<v1::Layer> layers;
  for (const v1::Layer layer : wire::AllLayers()) {
    if ((bits_ >> layer & 1U) != 0) layers.push_back(layer);
  }
  return layers;
}

cache::TileId IdOf(const TileQuery& query) {
  return {.world = cache::WorldNumbers(query.world->id()),
          .key = query.key,
          .layers = query.layers.bits(),
          .precision = static_cast<std::uint32_t>(query.precision)};
}

std::uint64_t TagOf(const TileQuery& query) {
  return wire::TileTag(query.world->id(), query.key, query.layers.bits(),
                       static_cast<std::uint32_t>(query.precision));
}

absl::StatusOr<field::Priority> ParsePriority(int priority) {
  switch (priority) {
    case v1::PRIORITY_UNSPECIFIED:
    case v1::PRIORITY_INTERACTIVE:
      return field::Priority::kInteractive;
    case v1::PRIORITY_PREFETCH:
      return field::Priority::kPrefetch;
    case v1::PRIORITY_BAKE:
      return field::Priority::kBake;
    default:
      return wire::Invalid("priority", absl::StrCat("0 to ", v1::Priority_MAX), priority);
  }
}

wire::TileKey FromProto(const v1::TileKey& key) {
  return {.face = Clamped(key.face()), .level = Clamped(key.level()), .x = key.x(), .y = key.y()};
}

v1::TileKey ToProto(const wire::TileKey& key) {
  v1::TileKey proto;
  proto.set_face(static_cast<std::uint32_t>(key.face));
  proto.set_level(static_cast<std::uint32_t>(key.level));
  proto.set_x(key.x);
  proto.set_y(key.y);
  return proto;
}

wire::Shape ShapeOf(const world::World& world) {
  return world.spec().has_sphere() ? wire::Shape::kSphere : wire::Shape::kPlane;
}

absl::Status CheckKey(const wire::TileKey& key, const world::World& world) {
  return wire::CheckTileKey(key, ShapeOf(world), world.levels());
}

absl::StatusOr<TileQuery> ParseTileQuery(std::shared_ptr<const world::World> world,
                                         const v1::GetTileRequest& request) {
  THALWEG_ASSIGN_OR_RETURN(
      TileQuery query,
      ParseWithoutKey(std::move(world), request.layers(), request.precision(), request.priority()));
  query.key = FromProto(request.key());
  THALWEG_RETURN_IF_ERROR(CheckKey(query.key, *query.world));
  return query;
}

absl::StatusOr<TileQuery> ParseWithoutKey(std::shared_ptr<const world::World> world,
                                          const google::protobuf::RepeatedField<int>& layers,
                                          int precision, int priority) {
  TileQuery query;
  query.world = std::move(world);
  THALWEG_ASSIGN_OR_RETURN(query.layers, LayerChoice::Parse(layers));
  THALWEG_RETURN_IF_ERROR(CheckLayers(query.layers, *query.world));
  THALWEG_ASSIGN_OR_RETURN(query.precision, ParsePrecision(precision));
  THALWEG_ASSIGN_OR_RETURN(query.priority, ParsePriority(priority));
  return query;
}

absl::StatusOr<TileRectangle> TileRectangle::Create(const wire::TileKey& first,
                                                    std::uint32_t columns, std::uint32_t rows,
                                                    wire::Shape shape, int levels) {
  const std::uint64_t tiles = std::uint64_t{columns} * rows;
  if (tiles == 0 || tiles > kMaxRectangleTiles) {
    return wire::Invalid("rectangle", absl::StrCat("1 to ", kMaxRectangleTiles, " tiles"),
                         absl::StrCat(columns, " x ", rows));
  }
  // The first tile is checked first: else the coordinates of the last one could overflow.
  THALWEG_RETURN_IF_ERROR(wire::CheckTileKey(first, shape, levels));
  wire::TileKey last = first;
  last.x += columns - 1;
  last.y += rows - 1;
  THALWEG_RETURN_IF_ERROR(wire::CheckTileKey(last, shape, levels));

  return TileRectangle(first, columns, rows);
}

std::size_t TileRectangle::TilesIn(const Square& square) const {
  const auto shared = [](std::int64_t from, std::int64_t size, std::int64_t end) {
    return std::max(std::int64_t{0}, std::min(from + size, end) - std::max(from, std::int64_t{0}));
  };
  return static_cast<std::size_t>(shared(square.x, square.size, columns_) *
                                  shared(square.y, square.size, rows_));
}

TileRectangle::Square TileRectangle::FindAmong(const Square& first, std::size_t& n) const {
  Square square = first;
  for (int k = 0; k < 4; ++k) {
    square.x = first.x + (k % 2) * first.size;
    square.y = first.y + (k / 2) * first.size;
    const std::size_t tiles = TilesIn(square);
    if (n < tiles) break;
    n -= tiles;
  }
  return square;
}

wire::TileKey TileRectangle::TileAt(std::size_t n) const {
  // Aligned squares as large as the longer side; two by two of them cover the rectangle.
  const auto size = static_cast<std::int64_t>(
      std::bit_ceil(static_cast<std::uint64_t>(std::max(columns_, rows_))));
  Square square = FindAmong(
      {.x = (first_.x & -size) - first_.x, .y = (first_.y & -size) - first_.y, .size = size}, n);
  while (square.size > 1) {
    square = FindAmong({.x = square.x, .y = square.y, .size = square.size / 2}, n);
  }
  wire::TileKey key = first_;
  key.x += square.x;
  key.y += square.y;
  return key;
}

absl::StatusOr<RectangleQuery> ParseRectangleQuery(std::shared_ptr<const world::World> world,
                                                   const v1::StreamTilesRequest& request) {
  THALWEG_ASSIGN_OR_RETURN(
      TileQuery tile_query,
      ParseWithoutKey(std::move(world), request.layers(), request.precision(), request.priority()));
  THALWEG_ASSIGN_OR_RETURN(
      const TileRectangle rectangle,
      TileRectangle::Create(FromProto(request.first()), request.columns(), request.rows(),
                            ShapeOf(*tile_query.world), tile_query.world->levels()));
  return RectangleQuery{std::move(tile_query), rectangle};
}

}  // namespace thalweg::tile
