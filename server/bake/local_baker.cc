#include "server/bake/local_baker.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <future>
#include <mutex>
#include <thread>
#include <utility>

#include "proto/bake/planet_area.h"
#include "proto/geometry/sample_point.h"
#include "proto/wire/invalid.h"
#include "proto/wire/status_macros.h"
#include "proto/wire/tile_key.h"
#include "server/tile/tile_fan_in.h"

namespace thalweg::bake {
namespace {

constexpr std::int64_t kTile = wire::kTileCells;
constexpr std::int64_t kTileSide = wire::kTileVertices;
static_assert(kPartSide % kTile == 0, "parts are whole tiles");
// One part is computed while the other one is stored.
constexpr int kPendingParts = 2;

using Planes = std::vector<std::vector<std::int32_t>>;

// The tiles of a range of vertices along one axis. The range's last vertex comes from the tile that
// ends with it, since a planet's face may end there.
struct Span {
  std::int64_t first;
  std::int64_t last;
};

Span SpanOf(std::int64_t begin, std::int64_t size) {
  const std::int64_t first = wire::FloorDivide(size == 1 && begin > 0 ? begin - 1 : begin, kTile);
  return {first, std::max(wire::FloorDivide(begin + size - 2, kTile), first)};
}

std::vector<wire::TileKey> TilesOf(const Area& area) {
  std::vector<wire::TileKey> keys;
  const Span columns = SpanOf(area.x0, area.width);
  const Span rows = SpanOf(area.y0, area.height);
  for (std::int64_t y = rows.first; y <= rows.last; ++y) {
    for (std::int64_t x = columns.first; x <= columns.last; ++x) {
      keys.push_back({area.face, area.level, x, y});
    }
  }
  return keys;
}

// Copies those vertices of a tile that are in the part.
void Copy(const wire::TileKey& key, const Planes& planes, PartValues& part) {
  const Area& area = part.area;
  const std::int64_t west = std::max(area.x0, key.x * kTile);
  const std::int64_t north = std::max(area.y0, key.y * kTile);
  const std::int64_t east = std::min(area.x0 + area.width, key.x * kTile + kTileSide);
  const std::int64_t south = std::min(area.y0 + area.height, key.y * kTile + kTileSide);
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
    for (int i = 0; i < kPendingParts; ++i) workers.emplace_back([this] { Work(); });
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
    if (values.area.grid == GridKind::kVertices) {
      THALWEG_RETURN_IF_ERROR(
          ForTiles(TilesOf(values.area), [&](std::size_t, const wire::TileKey& key,
                                             const Planes& planes) { Copy(key, planes, values); }));
    } else {
      THALWEG_RETURN_IF_ERROR(Sample(values));
    }
    return store_.Write(part, values);
  }

  // Fills in a part of pixels of a planet.
  absl::Status Sample(PartValues& part) {
    const sampling::PointSet set(PointsOf(part.area), part.area.level);
    return ForTiles(set.tiles(), [&](std::size_t n, const wire::TileKey&, const Planes& planes) {
      for (std::size_t plane = 0; plane < planes.size(); ++plane) {
        const auto layer = static_cast<v1::Layer>(part.planes[plane].layer);
        set.Sample(n, planes[plane], sampling::RuleOf(layer), part.planes[plane].values);
      }
    });
  }

  // Asks for several tiles at a time, and calls `take` with the number, key and planes of each.
  template <typename Take>
  absl::Status ForTiles(const std::vector<wire::TileKey>& keys, Take take) {
    tile::TileQuery query{.world = bake_.world,
                          .key = {},
                          .layers = bake_.layers,
                          .precision = v1::PRECISION_EXACT,
                          .priority = field::Priority::kBake,
                          .wants_values = true};
    std::vector<tile::TileContents> contents(keys.size());
    std::promise<absl::Status> end;
    std::future<absl::Status> ended = end.get_future();
    tile::TileFanIn fan_in(
        &tiles_,
        [&contents](std::size_t i, absl::StatusOr<tile::TileContents> tile) {
          if (!tile.ok()) return tile.status();
          contents[i] = *std::move(tile);
          return absl::OkStatus();
        },
        [end = std::move(end)](const absl::Status& status) mutable { end.set_value(status); });
    fan_in.AskAll(keys.size(), [&](std::size_t i) {
      tile::TileQuery nth = query;
      nth.key = keys[i];
      return nth;
    });
    THALWEG_RETURN_IF_ERROR(ended.get());
    for (std::size_t i = 0; i < keys.size(); ++i) {
      query.key = keys[i];
      THALWEG_ASSIGN_OR_RETURN(const Planes planes, contents[i].Planes(query));
      take(i, keys[i], planes);
    }
    return absl::OkStatus();
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
