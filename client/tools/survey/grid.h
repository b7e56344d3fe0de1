// Numbers on a rectangle of vertices.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <vector>

namespace thalweg::survey {

// A step to a neighbour; its length is in cells.
struct Step {
  int dx;
  int dy;
  double length;
};

// The steps to all neighbours, clockwise from the east.
inline constexpr std::array<Step, 8> kSteps = {{{1, 0, 1},
                                                {1, 1, std::numbers::sqrt2},
                                                {0, 1, 1},
                                                {-1, 1, std::numbers::sqrt2},
                                                {-1, 0, 1},
                                                {-1, -1, std::numbers::sqrt2},
                                                {0, -1, 1},
                                                {1, -1, std::numbers::sqrt2}}};

// Returns the difference between the indices of a neighbour and of a vertex in a grid's values.
inline constexpr int Offset(const Step& step, int width) { return step.dy * width + step.dx; }

// Returns a cell and all cells that are connected with it over neighbours that `take(index)` takes.
// It is asked about every neighbour of each of them, and takes each cell once.
template <typename Take>
std::vector<std::size_t> RegionOf(int width, int height, std::size_t first, const Take& take) {
  std::vector<std::size_t> region = {first};
  const auto columns = static_cast<std::size_t>(width);
  for (std::size_t next = 0; next < region.size(); ++next) {
    const int cell_x = static_cast<int>(region[next] % columns);
    const int cell_y = static_cast<int>(region[next] / columns);
    for (const Step& step : kSteps) {
      const int x = cell_x + step.dx;
      const int y = cell_y + step.dy;
      if (x < 0 || y < 0 || x >= width || y >= height) continue;
      const std::size_t neighbour =
          static_cast<std::size_t>(y) * columns + static_cast<std::size_t>(x);
      if (take(neighbour)) region.push_back(neighbour);
    }
  }
  return region;
}

// One value for each vertex, rows from north to south, each from west to east. A vertex stands for
// the cell around it, so lengths and areas are counted in cells.
template <typename Value>
struct Grid {
  int width = 0;
  int height = 0;
  // width x height values.
  std::vector<Value> values;

  std::size_t Index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
           static_cast<std::size_t>(x);
  }
  const Value& At(int x, int y) const { return values[Index(x, y)]; }
  Value& At(int x, int y) { return values[Index(x, y)]; }
  bool Contains(int x, int y) const { return x >= 0 && y >= 0 && x < width && y < height; }
  bool IsEdge(int x, int y) const { return x == 0 || y == 0 || x == width - 1 || y == height - 1; }
};

// Returns a grid filled with one value.
template <typename Value>
Grid<Value> FilledGrid(int width, int height, Value value) {
  return {width, height,
          std::vector<Value>(static_cast<std::size_t>(width) * static_cast<std::size_t>(height),
                             value)};
}

}  // namespace thalweg::survey
