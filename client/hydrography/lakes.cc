#include "client/hydrography/lakes.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

namespace thalweg::hydrography {
namespace {

// A quarter of a millimetre, and half a unit.
constexpr std::int64_t kSameLevelQ16 = 16;
constexpr double kHalfUnitM = 0.5 / 65536;

struct Water {
  Lake lake;
  bool reaches_border = false;
};

// Returns all water that is joined to the water at a vertex. Marks it as the lake's in `lakes`.
Water TakeWater(const Waters& waters, std::int32_t first, std::int32_t lake, Lakes& lakes) {
  constexpr std::array<std::pair<int, int>, 4> kSides = {{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}};
  const survey::Grid<std::int32_t>& level = waters.water_q16;
  Water water;
  std::vector<std::int32_t>& found = water.lake.vertices;
  found.push_back(first);
  lakes.lake_of.values[static_cast<std::size_t>(first)] = lake;
  for (std::size_t next = 0; next < found.size(); ++next) {
    const int x = found[next] % level.width;
    const int y = found[next] / level.width;
    water.reaches_border = water.reaches_border || level.IsEdge(x, y);
    for (const auto& [dx, dy] : kSides) {
      if (x + dx < 0 || y + dy < 0 || x + dx >= level.width || y + dy >= level.height) continue;
      const std::size_t neighbour = level.Index(x + dx, y + dy);
      if (lakes.lake_of.values[neighbour] != kNoLake || !waters.IsWet(neighbour)) continue;
      if (std::abs(std::int64_t{level.values[neighbour]} - level.At(x, y)) > kSameLevelQ16)
        continue;
      lakes.lake_of.values[neighbour] = lake;
      found.push_back(static_cast<std::int32_t>(neighbour));
    }
  }
  return water;
}

void Measure(const Waters& waters, Lake& lake) {
  double sum = 0;
  for (const std::int32_t index : lake.vertices) {
    const auto vertex = static_cast<std::size_t>(index);
    const double level_m = Waters::Metres(waters.water_q16.values[vertex]);
    sum += level_m;
    lake.max_depth_m =
        std::max(lake.max_depth_m, level_m - Waters::Metres(waters.height_q16.values[vertex]));
  }
  lake.level_m = sum / static_cast<double>(lake.vertices.size());
}

}  // namespace

Lakes FindLakes(const Waters& waters) {
  // The sea is marked until all water is found, so that no cell is taken twice.
  constexpr std::int32_t kSea = -2;
  const survey::Grid<std::int32_t>& height = waters.height_q16;
  Lakes lakes{{}, survey::FilledGrid(height.width, height.height, kNoLake)};
  for (std::size_t vertex = 0; vertex < height.values.size(); ++vertex) {
    if (lakes.lake_of.values[vertex] != kNoLake || !waters.IsWet(vertex)) continue;
    const auto number = static_cast<std::int32_t>(lakes.lakes.size());
    Water water = TakeWater(waters, static_cast<std::int32_t>(vertex), number, lakes);
    Measure(waters, water.lake);
    const bool at_sea_level =
        waters.sea_level_m && water.lake.level_m <= *waters.sea_level_m + kHalfUnitM;
    if (at_sea_level && water.reaches_border) {
      for (const std::int32_t of_sea : water.lake.vertices) {
        lakes.lake_of.values[static_cast<std::size_t>(of_sea)] = kSea;
      }
      continue;
    }
    lakes.lakes.push_back(std::move(water.lake));
  }
  std::ranges::replace(lakes.lake_of.values, kSea, kNoLake);
  return lakes;
}

}  // namespace thalweg::hydrography
