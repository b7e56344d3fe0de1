#include "client/survey/relief.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>
#include <vector>

namespace thalweg::survey {
namespace {

// Returns the extreme of each run of `window` values, with a queue of the candidates.
template <typename Before>
std::vector<double> SlidingExtremes(const std::vector<double>& values, std::size_t window,
                                    const Before& before) {
  std::vector<double> extremes;
  std::deque<std::size_t> queue;
  for (std::size_t i = 0; i < values.size(); ++i) {
    while (!queue.empty() && !before(values[queue.back()], values[i])) queue.pop_back();
    queue.push_back(i);
    if (queue.front() + window <= i) queue.pop_front();
    if (i + 1 >= window) extremes.push_back(values[queue.front()]);
  }
  return extremes;
}

// Returns the extreme of each square of window x window vertices in the grid.
template <typename Before>
Grid<double> Extremes(const Grid<double>& grid, int window, const Before& before) {
  const auto size = static_cast<std::size_t>(window);
  Grid<double> rows{grid.width - window + 1, grid.height, {}};
  for (int y = 0; y < grid.height; ++y) {
    const auto first = grid.values.begin() + static_cast<std::ptrdiff_t>(grid.Index(0, y));
    const std::vector<double> row =
        SlidingExtremes(std::vector<double>(first, first + grid.width), size, before);
    rows.values.insert(rows.values.end(), row.begin(), row.end());
  }
  Grid<double> squares = FilledGrid(rows.width, grid.height - window + 1, 0.0);
  std::vector<double> column(static_cast<std::size_t>(grid.height));
  for (int x = 0; x < rows.width; ++x) {
    for (int y = 0; y < grid.height; ++y) column[static_cast<std::size_t>(y)] = rows.At(x, y);
    const std::vector<double> found = SlidingExtremes(column, size, before);
    for (int y = 0; y < squares.height; ++y) {
      squares.At(x, y) = found[static_cast<std::size_t>(y)];
    }
  }
  return squares;
}

}  // namespace

std::optional<double> MedianRelief(const Grid<double>& ground_m, double cell_size_m) {
  const int window = std::max(3, static_cast<int>(std::lround(kReliefSideM / cell_size_m)));
  if (window > std::min(ground_m.width, ground_m.height)) return std::nullopt;
  const Grid<double> highest = Extremes(ground_m, window, std::greater<>());
  std::vector<double> relief = highest.values;
  const Grid<double> lowest = Extremes(ground_m, window, std::less<>());
  for (std::size_t i = 0; i < relief.size(); ++i) relief[i] -= lowest.values[i];
  const auto middle = relief.begin() + static_cast<std::ptrdiff_t>(relief.size() / 2);
  std::nth_element(relief.begin(), middle, relief.end());
  return *middle;
}

}  // namespace thalweg::survey
