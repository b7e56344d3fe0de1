#include "client/cli/bake_overviews.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "client/bake/part_region.h"
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

bool IsNumber(Layer layer) {
  return sampling::RuleOf(static_cast<v1::Layer>(layer)) == sampling::Rule::kBilinear;
}

// Copies the values of a part that are in the area to their places in it.
void CopyInto(const Region& part, std::size_t plane, const Area& area,
              std::vector<std::int32_t>& values) {
  const std::int64_t x0 = std::max<std::int64_t>(part.x0, area.x0);
  const std::int64_t x1 = std::min(part.x0 + part.width, area.x0 + area.width);
  const std::int64_t y0 = std::max<std::int64_t>(part.y0, area.y0);
  const std::int64_t y1 = std::min(part.y0 + part.height, area.y0 + area.height);
  for (std::int64_t y = y0; y < y1; ++y) {
    const auto from = part.planes[plane].values.begin() + (y - part.y0) * part.width + x0 - part.x0;
    std::copy(from, from + (x1 - x0), values.begin() + (y - area.y0) * area.width + x0 - area.x0);
  }
}

// Reads an area of a level: a plane of values for each layer.
absl::StatusOr<std::vector<std::vector<std::int32_t>>> ReadArea(const BakedLevel& level,
                                                                const Area& area,
                                                                std::size_t planes) {
  std::vector<std::vector<std::int32_t>> values(
      planes, std::vector<std::int32_t>(static_cast<std::size_t>(area.width * area.height)));
  for (const Part& part : bake::PartsOf(area)) {
    THALWEG_ASSIGN_OR_RETURN(const Region region, bake::ReadRegion(level.store, part));
    for (std::size_t plane = 0; plane < planes; ++plane) {
      CopyInto(region, plane, area, values[plane]);
    }
  }
  return values;
}

// A rectangle of an overview's pixels, whose first lies `x` and `y` beyond a vertex.
struct Pixels {
  std::int64_t width = 0;
  std::int64_t height = 0;
  double x = 0;
  double y = 0;
};

// Returns the values at the middles of pixels between the vertices of an area, which begins at the
// vertex of the first pixel. Where it ends, its last vertices count.
std::vector<std::int32_t> AtMiddles(const std::vector<std::int32_t>& values, const Area& area,
                                    const Pixels& pixels, bool is_number) {
  std::vector<std::int32_t> middles;
  middles.reserve(static_cast<std::size_t>(pixels.width * pixels.height));
  for (std::int64_t y = 0; y < pixels.height; ++y) {
    for (std::int64_t x = 0; x < pixels.width; ++x) {
      const auto at = [&](std::int64_t dx, std::int64_t dy) {
        return values[static_cast<std::size_t>(std::min(y + dy, area.height - 1) * area.width +
                                               std::min(x + dx, area.width - 1))];
      };
      if (!is_number) {
        middles.push_back(at(pixels.x < 0.5 ? 0 : 1, pixels.y < 0.5 ? 0 : 1));
        continue;
      }
      const auto along = [&](std::int64_t dy) {
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
  std::int64_t width = area.width;
  std::int64_t height = area.height;
  for (int level = area.level - 1; level >= 0 && std::max(width, height) > kSmallest; --level) {
    width = (width + 1) / 2;
    height = (height + 1) / 2;
    const std::int64_t x0 = MiddleOf(area.x0, area.level - level).vertex;
    const std::int64_t y0 = MiddleOf(area.y0, area.level - level).vertex;
    const std::int64_t last = baking.world.radius_m > 0 ? std::int64_t{wire::kTileCells} << level
                                                        : baking.world.max_vertex;
    areas.push_back({level, x0, y0, std::min(width + 1, last - x0 + 1),
                     std::min(height + 1, last - y0 + 1), area.grid, area.face});
  }
  return areas;
}

absl::Status WriteOverviews(const Baking& baking, std::span<const BakedLevel> overviews,
                            const std::vector<std::unique_ptr<raster_file::RasterSink>>& sinks) {
  std::int64_t width = baking.area.width;
  std::int64_t height = baking.area.height;
  for (std::size_t i = 0; i < overviews.size(); ++i) {
    const BakedLevel& level = overviews[i];
    const Area& whole = level.area;
    width = (width + 1) / 2;
    height = (height + 1) / 2;
    const int finer = baking.area.level - whole.level;
    for (const Part& part : level.parts) {
      Area area = bake::Clipped(whole, part);
      const std::int64_t column = area.x0 - whole.x0;
      const std::int64_t row = area.y0 - whole.y0;
      const Pixels pixels{std::min(area.width, width - column), std::min(area.height, height - row),
                          MiddleOf(baking.area.x0, finer).beyond,
                          MiddleOf(baking.area.y0, finer).beyond};
      if (pixels.width <= 0 || pixels.height <= 0) continue;
      area.width = std::min(pixels.width + 1, whole.width - column);
      area.height = std::min(pixels.height + 1, whole.height - row);
      THALWEG_ASSIGN_OR_RETURN(const auto planes, ReadArea(level, area, sinks.size()));
      for (std::size_t plane = 0; plane < sinks.size(); ++plane) {
        const bool is_number = IsNumber(baking.arguments.layers[plane]);
        THALWEG_RETURN_IF_ERROR(sinks[plane]->WriteOverview(
            static_cast<int>(i) + 1, column, row, static_cast<int>(pixels.width),
            static_cast<int>(pixels.height), AtMiddles(planes[plane], area, pixels, is_number), 0));
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace thalweg::cli
