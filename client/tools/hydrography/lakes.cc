#include "client/tools/hydrography/lakes.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <unordered_map>
#include <utility>

namespace thalweg::hydrography {
namespace {

// A side of a cell, walked with the cell to the left; y grows to the south. The side begins `from`
// cells from the cell's north-western corner.
struct Side {
  int ahead_x;
  int ahead_y;
  int left_x;
  int left_y;
  Corner from;
};

// North, west, south, east: each side is a left turn after the previous one.
constexpr std::array<Side, 4> kSides = {
    {{-1, 0, 0, 1, {1, 0}}, {0, 1, 1, 0, {0, 0}}, {1, 0, 0, -1, {0, 1}}, {0, -1, -1, 0, {1, 1}}}};

class Tracer {
 public:
  Tracer(const survey::Grid<std::int32_t>& labels, std::int32_t label)
      : labels_(labels), label_(label) {}

  std::vector<Ring> Trace(const std::vector<std::int32_t>& cells) {
    for (const std::int32_t cell : cells) Mark(cell);
    std::vector<Ring> rings;
    for (const std::int32_t cell : cells) {
      for (int side = 0; side < 4; ++side) {
        if (Take(cell % labels_.width, cell / labels_.width, side)) {
          rings.push_back(RingFrom(cell % labels_.width, cell / labels_.width, side));
        }
      }
    }
    return rings;
  }

 private:
  bool IsIn(int x, int y) const {
    return x >= 0 && y >= 0 && x < labels_.width && y < labels_.height &&
           labels_.At(x, y) == label_;
  }

  // Records the sides of a cell that belong to the border.
  void Mark(std::int32_t cell) {
    unsigned sides = 0;
    for (std::size_t side = 0; side < kSides.size(); ++side) {
      const Side& s = kSides[side];
      const bool inner = IsIn(cell % labels_.width - s.left_x, cell / labels_.width - s.left_y);
      if (!inner) sides |= 1U << side;
    }
    if (sides != 0) left_[cell] = sides;
  }

  // Takes a side for a ring. True if it belongs to the border and was not taken before.
  bool Take(int x, int y, int side) {
    const auto found = left_.find(static_cast<std::int32_t>(labels_.Index(x, y)));
    if (found == left_.end() || (found->second >> side & 1U) == 0) return false;
    found->second &= ~(1U << side);
    return true;
  }

  // Returns the ring that begins with a side, which is already taken. Where only two diagonal cells
  // of four are in the set, the ring goes from one to the other. The cells between them become a
  // separate hole, and no ring meets itself.
  Ring RingFrom(int x, int y, int side) {
    Ring ring;
    int last = -1;
    do {
      const Side& s = kSides[static_cast<std::size_t>(side)];
      if (side != last) ring.push_back({x + s.from.x, y + s.from.y});
      last = side;
      if (IsIn(x + s.ahead_x - s.left_x, y + s.ahead_y - s.left_y)) {
        x += s.ahead_x - s.left_x;
        y += s.ahead_y - s.left_y;
        side = (side + 3) % 4;
      } else if (IsIn(x + s.ahead_x, y + s.ahead_y)) {
        x += s.ahead_x;
        y += s.ahead_y;
      } else {
        side = (side + 1) % 4;
      }
    } while (Take(x, y, side));
    // The walk may have begun in the middle of a straight line.
    if (last == side) ring.erase(ring.begin());
    ring.push_back(ring.front());
    return ring;
  }

  const survey::Grid<std::int32_t>& labels_;
  const std::int32_t label_;
  // For each cell of the border, a bit for each side that belongs to no ring yet.
  std::unordered_map<std::int32_t, unsigned> left_;
};

// Twice the area of a ring; above 0 if the ring is counterclockwise on a map.
std::int64_t Area(const Ring& ring) {
  std::int64_t twice = 0;
  for (std::size_t i = 1; i < ring.size(); ++i) {
    twice -= std::int64_t{ring[i - 1].x} * ring[i].y - std::int64_t{ring[i].x} * ring[i - 1].y;
  }
  return twice;
}

// A quarter of a millimetre, and half a unit.
constexpr std::int64_t kSameLevelQ16 = 16;
constexpr double kHalfUnitM = 0.5 / 65536;

struct Water {
  Lake lake;
  bool reaches_border = false;
};

// Returns all water that is joined to the water at a vertex. Marks it as the lake's in `lakes`.
Water JoinedWater(const Waters& waters, std::int32_t first, std::int32_t lake, Lakes& lakes) {
  constexpr std::array<std::pair<int, int>, 4> kNeighbours = {{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}};
  const survey::Grid<std::int32_t>& level = waters.water_q16;
  Water water;
  std::vector<std::int32_t>& found = water.lake.vertices;
  found.push_back(first);
  lakes.lake_of.values[static_cast<std::size_t>(first)] = lake;
  for (std::size_t next = 0; next < found.size(); ++next) {
    const int x = found[next] % level.width;
    const int y = found[next] / level.width;
    water.reaches_border = water.reaches_border || level.IsEdge(x, y);
    for (const auto& [dx, dy] : kNeighbours) {
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

std::vector<Ring> Outline(const survey::Grid<std::int32_t>& labels, std::int32_t label,
                          const std::vector<std::int32_t>& cells) {
  std::vector<Ring> rings = Tracer(labels, label).Trace(cells);
  std::ranges::stable_sort(rings, std::greater(), Area);
  return rings;
}

Lakes FindLakes(const Waters& waters) {
  // The sea is marked until all water is found, so that no cell is taken twice.
  constexpr std::int32_t kSea = -2;
  const survey::Grid<std::int32_t>& height = waters.height_q16;
  Lakes lakes{{}, survey::FilledGrid(height.width, height.height, kNoLake)};
  for (std::size_t vertex = 0; vertex < height.values.size(); ++vertex) {
    if (lakes.lake_of.values[vertex] != kNoLake || !waters.IsWet(vertex)) continue;
    const auto number = static_cast<std::int32_t>(lakes.lakes.size());
    Water water = JoinedWater(waters, static_cast<std::int32_t>(vertex), number, lakes);
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
