// Which tiles a region needs, and where their vertices go.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/src/contract/checked_response.h"
#include "thalweg/region.h"
#include "thalweg/tile.h"

namespace thalweg {

// Which tiles of a rectangle have not arrived yet. Not thread-safe. The rectangle must have 1 to
// kMaxStreamTiles tiles.
class MissingTiles {
 public:
  explicit MissingTiles(const TileRectangle& rectangle);

  // Whether the tile is in the rectangle.
  bool Contains(const TileKey& key) const;

  // Marks a tile of the rectangle as arrived. False if it had arrived before.
  bool MarkArrived(const TileKey& key);

  bool empty() const { return missing_ == 0; }

  // Returns the rows from the first to the last with a missing tile. At least one must be missing.
  TileRectangle Remaining() const;

 private:
  TileRectangle rectangle_;
  std::vector<bool> arrived_;
  std::vector<std::int64_t> missing_in_row_;
  std::int64_t missing_;
};

// Receives each tile of a rectangle once, in any order, over any number of attempts. Not
// thread-safe.
class ReceivedTiles {
 public:
  ReceivedTiles(const TileRectangle& rectangle, TileForm form)
      : form_(std::move(form)), missing_(rectangle) {}

  const MissingTiles& missing() const { return missing_; }

  // Begins an attempt: returns the tiles to ask for. At least one must be missing.
  TileRectangle Begin();

  // Decodes a received tile; nothing if it had arrived before. DATA_LOSS if it was not asked for,
  // is damaged or of another world than the others, or if more tiles arrive than were asked for.
  absl::StatusOr<std::optional<Tile>> Receive(const v1::Tile& message);

 private:
  const TileForm form_;
  MissingTiles missing_;
  std::int64_t asked_for_ = 0;
  std::int64_t came_ = 0;
  std::string world_id_;  // in hexadecimal; empty before the first tile
};

// Returns how many of the first points fit within the limits of points and of tiles; at least 1.
// There must be a point. `tile_of` returns a sortable value that is equal for points on the same
// tile.
template <typename Point, typename TileOf>
std::size_t SampleBatch(std::span<const Point> points, TileOf tile_of, std::size_t max_points,
                        std::size_t max_tiles) {
  std::set<decltype(tile_of(points.front()))> tiles;
  std::size_t count = 0;
  for (; count < points.size() && count < max_points; ++count) {
    tiles.insert(tile_of(points[count]));
    if (tiles.size() > max_tiles) break;
  }
  return count == 0 ? 1 : count;
}

// Returns the smallest rectangle of tiles that has every vertex of the region. INVALID_ARGUMENT if
// a side is not 1 to kMaxRegionSide, or for no layer or a layer twice; OUT_OF_RANGE if the region
// ends beyond what 64 bits hold. The server checks whether the world reaches that far.
absl::StatusOr<TileRectangle> PlanRegion(const RegionRequest& request);

// Returns a region of the request's shape, with values of zero.
Region EmptyRegion(const RegionRequest& request);

// Copies the vertices that the tile shares with the region. The tile must be one of the region's
// plan, with the same layers in the same order.
void CopyTile(const Tile& tile, Region& region);

}  // namespace thalweg
