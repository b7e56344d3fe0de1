#include "tests/proto/elevation/random_land.h"

#include <cmath>
#include <random>

namespace thalweg::elevation {
namespace {

constexpr int kDx[8] = {1, 1, 0, -1, -1, -1, 0, 1};
constexpr int kDy[8] = {0, 1, 1, 1, 0, -1, -1, -1};

int SteepestOf(const std::vector<std::int32_t>& ground, const SheetShape& shape, int x, int y) {
  int steepest = kEnds;
  const auto at = [&](int column, int row) {
    return ground[static_cast<std::size_t>(row) * static_cast<std::size_t>(shape.width) +
                  static_cast<std::size_t>(column)];
  };
  std::int32_t lowest = at(x, y);
  for (int direction = 0; direction < 8; ++direction) {
    const int column = x + kDx[direction];
    const int row = y + kDy[direction];
    if (column < 0 || row < 0 || column >= shape.width || row >= shape.height) continue;
    if (at(column, row) >= lowest) continue;
    lowest = at(column, row);
    steepest = direction;
  }
  return steepest;
}

}  // namespace

std::vector<Sheet> RandomSheets(std::uint64_t seed, int width, int height, int steps) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> part(0, 1);
  const double phase = 6 * part(random);
  const double along = 0.05 + 0.1 * part(random);
  const double across = 0.05 + 0.1 * part(random);
  std::vector<Sheet> sheets;
  for (int step = 0; step <= steps; ++step) {
    Sheet sheet{.shape = ShapeOfSheet(width, height, step), .planes = {}};
    const SheetShape& shape = sheet.shape;
    for (int y = 0; y < shape.height; ++y) {
      for (int x = 0; x < shape.width; ++x) {
        const double column = std::ldexp(shape.x0 + x, step);
        const double row = std::ldexp(shape.y0 + y, step);
        const double hills = std::sin(phase + along * column) * std::cos(phase - across * row);
        sheet.planes[0].push_back(
            static_cast<std::int32_t>(65536 * (600 + 300 * hills + column / 7)));
        sheet.planes[1].push_back(1 + static_cast<std::int32_t>(random() % 5000));
      }
    }
    for (int y = 0; y < shape.height; ++y) {
      for (int x = 0; x < shape.width; ++x) {
        sheet.planes[2].push_back(PackedWay(SteepestOf(sheet.planes[0], shape, x, y),
                                            96 + static_cast<int>(random() % 64)));
      }
    }
    sheets.push_back(std::move(sheet));
  }
  return sheets;
}

}  // namespace thalweg::elevation
