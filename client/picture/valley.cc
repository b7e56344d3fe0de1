#include "client/picture/valley.h"

#include <algorithm>

namespace thalweg::picture {
namespace {

// Rows of 64-bit sums: integers make the running sums exact, and four passes of 65 vertices over
// 32-bit values stay below 2^57.
using Sums = std::vector<std::int64_t>;

std::size_t At(int row, int width, int x) {
  return static_cast<std::size_t>(row) * static_cast<std::size_t>(width) +
         static_cast<std::size_t>(x);
}

// Sums 2 radius + 1 neighbours along each row; the border's values are repeated.
void SumAlongRow(std::int64_t* row, int width, int radius, Sums& scratch) {
  scratch.assign(row, row + width);
  const auto value = [&](int x) {
    return scratch[static_cast<std::size_t>(std::clamp(x, 0, width - 1))];
  };
  std::int64_t sum = 0;
  for (int x = -radius; x <= radius; ++x) sum += value(x);
  for (int x = 0; x < width; ++x) {
    row[x] = sum;
    sum += value(x + radius + 1) - value(x - radius);
  }
}

// Sums 2 radius + 1 rows. The result has 2 radius rows less than `rows`.
Sums SumRows(const Sums& rows, int width, int radius) {
  const int count = static_cast<int>(rows.size() / static_cast<std::size_t>(width));
  Sums result(At(count - 2 * radius, width, 0));
  Sums sum(static_cast<std::size_t>(width), 0);
  for (int row = 0; row < count; ++row) {
    for (int x = 0; x < width; ++x) {
      std::int64_t& s = sum[static_cast<std::size_t>(x)];
      s += rows[At(row, width, x)];
      if (row < 2 * radius) continue;
      result[At(row - 2 * radius, width, x)] = s;
      s -= rows[At(row - 2 * radius, width, x)];
    }
  }
  return result;
}

}  // namespace

std::vector<float> ValleyDepth(const HeightGrid& grid, int first_row, int rows, int radius) {
  const int margin = 2 * radius;
  Sums sums(At(rows + 2 * margin, grid.width, 0));
  for (int row = 0; row < rows + 2 * margin; ++row) {
    const int from = std::clamp(first_row + row - margin, 0, grid.height - 1);
    const auto heights = grid.q16.begin() + static_cast<std::ptrdiff_t>(At(from, grid.width, 0));
    std::copy_n(heights, grid.width,
                sums.begin() + static_cast<std::ptrdiff_t>(At(row, grid.width, 0)));
  }
  Sums scratch;
  for (int pass = 0; pass < 2; ++pass) {
    const int count = static_cast<int>(sums.size() / static_cast<std::size_t>(grid.width));
    for (int row = 0; row < count; ++row) {
      SumAlongRow(&sums[At(row, grid.width, 0)], grid.width, radius, scratch);
    }
    sums = SumRows(sums, grid.width, radius);
  }

  const double side = 2 * radius + 1;
  const double to_mean = 1 / (side * side * side * side);
  const double to_slope = 1 / (65536.0 * grid.cell_size_m * radius);
  std::vector<float> depth(sums.size());
  for (std::size_t i = 0; i < depth.size(); ++i) {
    const double own = grid.q16[At(first_row, grid.width, 0) + i];
    depth[i] = static_cast<float>((static_cast<double>(sums[i]) * to_mean - own) * to_slope);
  }
  return depth;
}

}  // namespace thalweg::picture
