// Numbers on a rectangle of vertices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace thalweg::survey {

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
