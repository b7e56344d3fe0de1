// A client's request, checked and in the engine's own terms.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "google/protobuf/repeated_field.h"
#include "proto/wire/limits.h"
#include "proto/wire/tile_key.h"
#include "server/cache/tile_cache.h"
#include "server/field/field.h"
#include "server/world/world.h"
#include "thalweg/v1/terrain.pb.h"

namespace thalweg::tile {

// Those who ask for tiles know neither the field nor the caches.
using cache::FinishedTile;
using cache::TileBytes;
using field::Priority;

// A set of thalweg.v1.Layer; bit n stands for number n. A tile has its layers in the order of their
// numbers, not of the request, so that equal sets give equal bytes.
class LayerChoice {
 public:
  // INVALID_ARGUMENT names a layer that does not exist or occurs twice. An empty list means the
  // height. The caller must check whether a world has the layers.
  static absl::StatusOr<LayerChoice> Parse(const google::protobuf::RepeatedField<int>& layers);

  // Only the height.
  LayerChoice() = default;
  // An empty set; a layer must be added.
  static LayerChoice None() {
    LayerChoice choice;
    choice.bits_ = 0;
    return choice;
  }

  // Adds a layer.
  void Add(v1::Layer layer) { bits_ |= 1U << layer; }

  std::uint32_t bits() const { return bits_; }
  std::vector<v1::Layer> List() const;

 private:
  std::uint32_t bits_ = 1U << v1::LAYER_HEIGHT;
};

// The budget that a generated tile is charged to. Thread-safe. Called with locks held, so it must
// take no lock but its own.
class Payer {
 public:
  virtual ~Payer() = default;
  // OK if a tile may be generated now. Else the error is the answer to the caller.
  virtual absl::Status MayGenerate() = 0;
  // Charges cells of a generated tile; see TileBill. May be called several times for one tile.
  virtual void Charge(std::int64_t cells) = 0;
};

// A request for one tile.
struct TileQuery {
  std::shared_ptr<const world::World> world;
  wire::TileKey key;
  LayerChoice layers;
  // Never PRECISION_UNSPECIFIED: it is part of the tile's tag.
  v1::Precision precision = v1::PRECISION_LATTICE;
  field::Priority priority = field::Priority::kInteractive;
  // A number that tells clients apart; see field::TileRequest.
  std::uint64_t client = 0;
  // Pays if the tile must be generated; null if the tile is free.
  std::shared_ptr<Payer> payer = nullptr;
  // Whether the caller needs numbers and not bytes. Then a tile that must be computed is encoded
  // only if others want its bytes, or there are stores to keep it. Needs exact precision.
  bool wants_values = false;
  // Whether the caller has room for the answer already; see TileService.
  bool has_room = false;
};

// Everything that decides the tile's bytes.
cache::TileId IdOf(const TileQuery& query);

// thalweg.v1.Tile.tag of the tile.
std::uint64_t TagOf(const TileQuery& query);

// INVALID_ARGUMENT unless the number is one of thalweg.v1.Priority. PRIORITY_UNSPECIFIED means
// interactive.
absl::StatusOr<field::Priority> ParsePriority(int priority);

wire::TileKey FromProto(const v1::TileKey& key);
v1::TileKey ToProto(const wire::TileKey& key);

wire::Shape ShapeOf(const world::World& world);

// OUT_OF_RANGE, naming the range, if the world does not have the tile.
absl::Status CheckKey(const wire::TileKey& key, const world::World& world);

// Checks a request for a tile of a world: OUT_OF_RANGE for the key, INVALID_ARGUMENT for the rest.
absl::StatusOr<TileQuery> ParseTileQuery(std::shared_ptr<const world::World> world,
                                         const v1::GetTileRequest& request);

// Checks what GetTile and StreamTiles have in common: layers, precision and priority. Defaults
// replace unspecified values. The caller sets the key.
absl::StatusOr<TileQuery> ParseWithoutKey(std::shared_ptr<const world::World> world,
                                          const google::protobuf::RepeatedField<int>& layers,
                                          int precision, int priority);

// The cost of a tile that is generated. A tile costs the cells of the blocks that are computed for
// it, ancestors included; at least its own 65,536, since reading and encoding it is work too. Not
// thread-safe.
class TileBill {
 public:
  explicit TileBill(std::shared_ptr<Payer> payer) : payer_(std::move(payer)) {}

  // Adds cells that the field computes for the tile. Called again if it must compute more.
  void Add(std::int64_t cells) {
    computed_ += cells;
    const std::int64_t cost = std::max(computed_, kOwnCells);
    if (cost > charged_) payer_->Charge(cost - std::exchange(charged_, cost));
  }

 private:
  static constexpr std::int64_t kOwnCells = std::int64_t{wire::kTileCells} * wire::kTileCells;

  const std::shared_ptr<Payer> payer_;
  std::int64_t computed_ = 0;
  std::int64_t charged_ = 0;
};

using wire::kMaxRectangleTiles;

// A rectangle of tiles of one level, and the order in which the tiles are computed.
class TileRectangle {
 public:
  // OUT_OF_RANGE unless a world with this number of levels has all the tiles; INVALID_ARGUMENT,
  // with the limit, if the rectangle is empty or has more than kMaxRectangleTiles.
  static absl::StatusOr<TileRectangle> Create(const wire::TileKey& first, std::uint32_t columns,
                                              std::uint32_t rows, wire::Shape shape, int levels);

  std::size_t size() const { return static_cast<std::size_t>(columns_ * rows_); }
  // The nth tile in Z order of the level's grid (Morton 1966). Tiles of one block, and blocks of
  // one parent, follow each other, wherever the rectangle begins.
  wire::TileKey TileAt(std::size_t n) const;

 private:
  // A square in tiles, relative to the first tile.
  struct Square {
    std::int64_t x;
    std::int64_t y;
    std::int64_t size;
  };

  TileRectangle(const wire::TileKey& first, std::int64_t columns, std::int64_t rows)
      : first_(first), columns_(columns), rows_(rows) {}
  // How many tiles of a square are in the rectangle.
  std::size_t TilesIn(const Square& square) const;
  // The one of two by two squares, in Z order, that has the nth tile. Makes n count from its first.
  Square FindAmong(const Square& first, std::size_t& n) const;

  wire::TileKey first_;
  std::int64_t columns_;
  std::int64_t rows_;
};

// A checked request for a rectangle. The caller sets the key of `tile_query` for each tile.
struct RectangleQuery {
  TileQuery tile_query;
  TileRectangle rectangle;
};

absl::StatusOr<RectangleQuery> ParseRectangleQuery(std::shared_ptr<const world::World> world,
                                                   const v1::StreamTilesRequest& request);

}  // namespace thalweg::tile
