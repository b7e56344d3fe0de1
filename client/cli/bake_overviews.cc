#include "client/cli/bake_overviews.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "client/cli/bake_format.h"
#include "client/cli/bake_levels.h"
#include "proto/sampling/sample_point.h"
#include "proto/wire/floor_division.h"
#include "proto/wire/status_macros.h"
#include "proto/wire/tile_key.h"

namespace thalweg::cli {
namespace {

using bake::Area;
using bake::Part;

// The middle of an overview's first pixel along an axis, in vertices of its level.
struct Middle {
  std::int64_t vertex = 0;
  // How far beyond that vertex: 0 to 1.
  double beyond = 0;
};

// `first`: the first vertex of the bake, which is `finer` levels finer.
Middle MiddleOf(std::int64_t first, int finer) {
  // In half vertices of the bake.
  const std::int64_t cell = std::int64_t{2} << finer;
  const std::int64_t at = 2 * first + cell / 2 - 1;
  const std::int64_t vertex = wire::FloorDivide(at, cell);
  return {vertex, static_cast<double>(at - vertex * cell) / static_cast<double>(cell)};
}

// Pixels on a side of an overview: each is half as large as the one before, rounded up.
std::int64_t SideOf(std::int64_t side, int finer) {
  return (side + (std::int64_t{1} << finer) - 1) >> finer;
}

bool IsNumber(Layer layer) {
  return sampling::RuleOf(static_cast<v1::Layer>(layer)) == sampling::Rule::kBilinear;
}

// A rectangle of an overview's pixels, whose first lies `x` and `y` beyond a vertex.
struct Pixels {
  int width = 0;
  int height = 0;
  double x = 0;
  double y = 0;
};

// Returns the values at the middles of pixels between vertices, from that of the first pixel on.
// Where they end, the last ones count.
std::vector<std::int32_t> AtMiddles(const survey::Grid<std::int32_t>& vertices,
                                    const Pixels& pixels, bool is_number) {
  std::vector<std::int32_t> middles;
  middles.reserve(static_cast<std::size_t>(pixels.width) * static_cast<std::size_t>(pixels.height));
  for (int y = 0; y < pixels.height; ++y) {
    for (int x = 0; x < pixels.width; ++x) {
      const auto at = [&](int dx, int dy) {
        return vertices.At(std::min(x + dx, vertices.width - 1),
                           std::min(y + dy, vertices.height - 1));
      };
      if (!is_number) {
        middles.push_back(at(pixels.x < 0.5 ? 0 : 1, pixels.y < 0.5 ? 0 : 1));
        continue;
      }
      const auto along = [&](int dy) {
        return std::lerp(static_cast<double>(at(0, dy)), static_cast<double>(at(1, dy)), pixels.x);
      };
      middles.push_back(
          static_cast<std::int32_t>(std::lround(std::lerp(along(0), along(1), pixels.y))));
    }
  }
  return middles;
}

}  // namespace

std::vector<Area> AreasOfOverviews(const Baking& baking) {
  constexpr std::int64_t kSmallest = 512;
  const Area& area = baking.area;
  std::vector<Area> areas = {area};
  if (baking.arguments.overviews == OverviewSource::kMeans) return areas;
  const std::int64_t longer = std::max(area.width, area.height);
  for (int finer = 1; finer <= area.level && SideOf(longer, finer - 1) > kSmallest; ++finer) {
    const int level = area.level - finer;
    const std::int64_t x0 = MiddleOf(area.x0, finer).vertex;
    const std::int64_t y0 = MiddleOf(area.y0, finer).vertex;
    const std::int64_t last = baking.world.radius_m > 0 ? std::int64_t{wire::kTileCells} << level
                                                        : baking.world.max_vertex;
    areas.push_back({level, x0, y0, std::min(SideOf(area.width, finer), last - x0) + 1,
                     std::min(SideOf(area.height, finer), last - y0) + 1, area.grid, area.face});
  }
  return areas;
}

absl::Status WriteOverviews(const Baking& baking, std::span<const BakedLevel> overviews,
                            const std::vector<std::unique_ptr<raster_file::RasterSink>>& sinks) {
  for (const BakedLevel& level : overviews) {
    const Area& whole = level.area;
    const int finer = baking.area.level - whole.level;
    const std::int64_t width = SideOf(baking.area.width, finer);
    const std::int64_t height = SideOf(baking.area.height, finer);
    for (const Part& part : level.parts) {
      Area area = bake::Clipped(whole, part);
      const std::int64_t column = area.x0 - whole.x0;
      const std::int64_t row = area.y0 - whole.y0;
      const Pixels pixels{static_cast<int>(std::min(area.width, width - column)),
                          static_cast<int>(std::min(area.height, height - row)),
                          MiddleOf(baking.area.x0, finer).beyond,
                          MiddleOf(baking.area.y0, finer).beyond};
      if (pixels.width <= 0 || pixels.height <= 0) continue;
      area.width = std::min<std::int64_t>(pixels.width + 1, whole.width - column);
      area.height = std::min<std::int64_t>(pixels.height + 1, whole.height - row);
      THALWEG_ASSIGN_OR_RETURN(const BakedGrids planes, ReadArea(level, area, sinks.size()));
      for (std::size_t plane = 0; plane < sinks.size(); ++plane) {
        const bool is_number = IsNumber(baking.arguments.layers[plane]);
        THALWEG_RETURN_IF_ERROR(
            sinks[plane]->WriteOverview(finer, column, row, pixels.width, pixels.height,
                                        AtMiddles(planes[plane], pixels, is_number), 0));
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace thalweg::cli
