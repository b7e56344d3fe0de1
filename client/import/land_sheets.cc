#include "client/import/land_sheets.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "client/survey/neighbours.h"

namespace thalweg::real_land {
namespace {

using elevation::Sheet;
using survey::Drainage;
using survey::Grid;

constexpr double kUnits = 65536;
// Depressions deeper than this part of a cell stay as they are.
constexpr double kDeepestFillCells = 0.25;
// Min fall of ways on filled ground: 6 cm per km, as in the rivers stage, and 8 units.
constexpr double kMinFallSlope = 1.0 / 16384;
constexpr std::int32_t kMinFall = 8;

std::vector<std::int32_t> UnitsOf(const Grid<double>& ground_m) {
  std::vector<std::int32_t> units;
  units.reserve(ground_m.values.size());
  for (const double height_m : ground_m.values) {
    const double held_m = std::clamp(height_m, -kHighestM, kHighestM);
    units.push_back(static_cast<std::int32_t>(std::floor(held_m * kUnits + 0.5)));
  }
  return units;
}

Grid<double> MetresOf(const elevation::SheetShape& shape, const std::vector<std::int32_t>& units) {
  Grid<double> ground_m{shape.width, shape.height, {}};
  ground_m.values.reserve(units.size());
  for (const std::int32_t height : units) ground_m.values.push_back(height / kUnits);
  return ground_m;
}

int DirectionTo(const Drainage& drainage, std::int32_t cell) {
  const std::int32_t receiver = drainage.receiver[static_cast<std::size_t>(cell)];
  if (receiver == survey::kOutlet) return elevation::kEnds;
  const auto found = std::ranges::find(survey::kSteps, receiver - cell, [&](const auto& step) {
    return survey::Offset(step, drainage.width);
  });
  return static_cast<int>(found - survey::kSteps.begin());
}

// Returns every 2^step-th vertex of the raster's ground.
std::vector<std::int32_t> EverySoManyth(const Sheet& raster, const elevation::SheetShape& shape,
                                        int step) {
  std::vector<std::int32_t> ground;
  ground.reserve(static_cast<std::size_t>(shape.width) * static_cast<std::size_t>(shape.height));
  for (int y = 0; y < shape.height; ++y) {
    for (int x = 0; x < shape.width; ++x) {
      const int column = ((shape.x0 + x) << step) - raster.shape.x0;
      const int row = ((shape.y0 + y) << step) - raster.shape.y0;
      ground.push_back(raster.planes[0][static_cast<std::size_t>(row) *
                                            static_cast<std::size_t>(raster.shape.width) +
                                        static_cast<std::size_t>(column)]);
    }
  }
  return ground;
}

void AddRivers(const Drainage& drainage, const std::vector<int>& codes, Sheet& sheet) {
  sheet.planes[1] = drainage.area;
  sheet.planes[2].reserve(codes.size());
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const int direction = DirectionTo(drainage, static_cast<std::int32_t>(i));
    sheet.planes[2].push_back(elevation::PackedWay(direction, codes[i]));
  }
}

void MeasureFill(const std::vector<std::int32_t>& before, const Sheet& after, int margin,
                 Land& land) {
  double squares = 0;
  std::int64_t cells = 0;
  std::size_t i = 0;
  for (int y = 0; y < after.shape.height; ++y) {
    for (int x = 0; x < after.shape.width; ++x, ++i) {
      const bool is_margin = std::min(x, y) < margin || x >= after.shape.width - margin ||
                             y >= after.shape.height - margin;
      if (is_margin) continue;
      const double filled_m = (after.planes[0][i] - before[i]) / kUnits;
      squares += filled_m * filled_m;
      ++cells;
      land.filled_max_m = std::max(land.filled_max_m, filled_m);
    }
  }
  land.filled_rms_m = std::sqrt(squares / static_cast<double>(cells));
}

}  // namespace

Land LandOf(Grid<double> ground_m, int margin, double cell_m, int steps,
            std::optional<double> sea_level_m, const std::function<void(int step)>& progress) {
  Land land;
  const int width = ground_m.width;
  const int height = ground_m.height;
  for (int step = 0; step <= steps; ++step) {
    if (progress) progress(step);
    const double sheet_cell_m = std::ldexp(cell_m, step);
    Sheet sheet{.shape = elevation::ShapeOfSheet(width, height, step), .planes = {}};
    std::vector<std::int32_t>& heights = sheet.planes[0];
    heights = step == 0 ? UnitsOf(ground_m) : EverySoManyth(land.sheets.front(), sheet.shape, step);
    if (step == 0) ground_m = {};
    const Drainage drainage =
        DrainageOf(MetresOf(sheet.shape, heights), sea_level_m, kDeepestFillCells * sheet_cell_m);
    if (step == 0) {
      const std::vector<std::int32_t> before = heights;
      const double fall = std::floor(sheet_cell_m * kUnits * kMinFallSlope);
      LetWaterFall(drainage, std::max(static_cast<std::int32_t>(fall), kMinFall), heights);
      MeasureFill(before, sheet, margin, land);
    }
    const Grid<double> sheet_m = MetresOf(sheet.shape, heights);
    if (step == 0) {
      land.law = FitSlopeLaw(sheet_m, drainage, sheet_cell_m, margin);
    }
    AddRivers(drainage, SteepnessCodes(sheet_m, drainage, sheet_cell_m, land.law), sheet);
    land.sheets.push_back(std::move(sheet));
  }
  return land;
}

}  // namespace thalweg::real_land
