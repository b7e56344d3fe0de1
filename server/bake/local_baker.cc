#include "server/bake/local_baker.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <utility>

#include "proto/wire/floor_division.h"
#include "proto/wire/guarded.h"
#include "proto/wire/status_macros.h"
#include "proto/wire/tile_key.h"

namespace thalweg::bake {
namespace {

constexpr std::int64_t kTile = wire::kTileCells;
constexpr std::int64_t kTileSide = wire::kTileVertices;
static_assert(kPartSide % kTile == 0, "parts are whole tiles");

// The tiles that have an area's vertices: the last row and column of a tile are those of the next.
std::vector<wire::TileKey> TilesOf(const Area& area) {
  std::vector<wire::TileKey> keys;
  const std::int64_t last_x = wire::FloorDivide(area.x0 + area.width - 1, kTile);
  const std::int64_t last_y = wire::FloorDivide(area.y0 + area.height - 1, kTile);
  for (std::int64_t y = wire::FloorDivide(area.y0, kTile); y <= last_y; ++y) {
    for (std::int64_t x = wire::FloorDivide(area.x0, kTile); x <= last_x; ++x) {
      keys.push_back({0, area.level, x, y});
    }
  }
  return keys;
}

// What a part's tiles became, as they come.
class Arrivals {
 public:
  explicit Arrivals(std::size_t tiles) : contents_(tiles), waiting_(tiles) {}

  void Take(std::size_t tile, absl::StatusOr<tile::TileContents> contents) {
    const std::lock_guard lock(mutex_);
    contents_[tile] = std::move(contents);
    if (--waiting_ == 0) all_.notify_one();
  }

  std::vector<absl::StatusOr<tile::TileContents>> Await() {
    std::unique_lock lock(mutex_);
    all_.wait(lock, [this] { return waiting_ == 0; });
    return std::move(contents_);
  }

 private:
  std::mutex mutex_;
  std::condition_variable all_;
  std::vector<absl::StatusOr<tile::TileContents>> contents_;
  std::size_t waiting_;
};

// Copies what a tile has of the part.
void Copy(const wire::TileKey& key, const std::vector<std::vector<std::int32_t>>& planes,
          PartValues& part) {
  const Area& area = part.area;
  const std::int64_t west = std::max(area.x0, key.x * kTile);
  const std::int64_t north = std::max(area.y0, key.y * kTile);
  const std::int64_t east = std::min(area.x0 + area.width, (key.x + 1) * kTile);
  const std::int64_t south = std::min(area.y0 + area.height, (key.y + 1) * kTile);
  for (std::size_t plane = 0; plane < planes.size(); ++plane) {
    for (std::int64_t y = north; y < south; ++y) {
      const auto from =
          planes[plane].begin() + (y - key.y * kTile) * kTileSide + west - key.x * kTile;
      std::copy_n(from, east - west,
                  part.planes[plane].values.begin() + (y - area.y0) * area.width + west - area.x0);
    }
  }
}

class Run {
 public:
  Run(tile::TileService& tiles, const LocalBake& bake, const PartStore& store)
      : tiles_(tiles), bake_(bake), store_(store) {}

  absl::Status ToItsEnd() {
    std::vector<std::jthread> workers;
    for (int i = 0; i < bake_.parts_under_way; ++i) workers.emplace_back([this] { Work(); });
    workers.clear();
    return failed_;
  }

 private:
  void Work() {
    for (std::size_t i = next_++; i < bake_.parts.size(); i = next_++) {
      const Part& part = bake_.parts[i];
      const bool is_there = store_.Has(part);
      const absl::Status made =
          wire::Guarded("bake part", [&] { return is_there ? absl::OkStatus() : Make(part); });
      const std::lock_guard lock(mutex_);
      failed_.Update(made);
      if (!failed_.ok()) return;
      const Area area = Clipped(bake_.area, part);
      if (!is_there) vertices_ += area.width * area.height;
      if (bake_.progress) bake_.progress(++done_, vertices_);
    }
  }

  absl::Status Make(const Part& part) {
    PartValues values{Clipped(bake_.area, part), {}};
    const auto vertices = static_cast<std::size_t>(values.area.width * values.area.height);
    for (const v1::Layer layer : bake_.layers.List()) {
      values.planes.push_back({layer, std::vector<std::int32_t>(vertices)});
    }
    tile::TileQuery query{.world = bake_.world,
                          .key = {},
                          .layers = bake_.layers,
                          .precision = v1::PRECISION_EXACT,
                          .priority = field::Priority::kBake};
    const std::vector<wire::TileKey> keys = TilesOf(values.area);
    Arrivals arrivals(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
      query.key = keys[i];
      tiles_.GetContents(query, [&arrivals, i](absl::StatusOr<tile::TileContents> contents) {
        arrivals.Take(i, std::move(contents));
      });
    }
    const auto contents = arrivals.Await();
    for (std::size_t i = 0; i < keys.size(); ++i) {
      THALWEG_RETURN_IF_ERROR(contents[i].status());
      query.key = keys[i];
      THALWEG_ASSIGN_OR_RETURN(const auto planes, contents[i]->Planes(query));
      Copy(keys[i], planes, values);
    }
    return store_.Write(part, values);
  }

  tile::TileService& tiles_;
  const LocalBake& bake_;
  const PartStore& store_;
  std::atomic<std::size_t> next_{0};
  std::mutex mutex_;
  std::size_t done_ = 0;
  std::int64_t vertices_ = 0;
  absl::Status failed_;
};

}  // namespace

absl::Status BakeLocally(tile::TileService& tiles, const LocalBake& bake, const PartStore& store) {
  return Run(tiles, bake, store).ToItsEnd();
}

}  // namespace thalweg::bake
