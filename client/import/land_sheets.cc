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
constexpr double kHighestM = 16000;
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

void MeasureFill(const Grid<double>& before_m, const Grid<double>& after_m, int margin,
                 Land& land) {
  double squares = 0;
  std::int64_t cells = 0;
  for (int y = margin; y < before_m.height - margin; ++y) {
    for (int x = margin; x < before_m.width - margin; ++x) {
      const double held_m = std::clamp(before_m.At(x, y), -kHighestM, kHighestM);
      const double filled_m = after_m.At(x, y) - held_m;
      squares += filled_m * filled_m;
      ++cells;
      land.filled_max_m = std::max(land.filled_max_m, filled_m);
    }
  }
  land.filled_rms_m = std::sqrt(squares / static_cast<double>(cells));
}

}  // namespace

Land LandOf(const Grid<double>& ground_m, int margin, double cell_m, int steps,
            std::optional<double> sea_level_m, const std::function<void(int step)>& progress) {
  Land land;
  for (int step = 0; step <= steps; ++step) {
    if (progress) progress(step);
    const double sheet_cell_m = std::ldexp(cell_m, step);
    Sheet sheet{.shape = elevation::ShapeOfSheet(ground_m.width, ground_m.height, step),
                .planes = {}};
    sheet.planes[0] =
        step == 0 ? UnitsOf(ground_m) : EverySoManyth(land.sheets.front(), sheet.shape, step);
    Grid<double> sheet_m = MetresOf(sheet.shape, sheet.planes[0]);
    const Drainage drainage = DrainageOf(sheet_m, sea_level_m, kDeepestFillCells * sheet_cell_m);
    if (step == 0) {
      const double fall = std::floor(sheet_cell_m * kUnits * kMinFallSlope);
      LetWaterFall(drainage, std::max(static_cast<std::int32_t>(fall), kMinFall), sheet.planes[0]);
      sheet_m = MetresOf(sheet.shape, sheet.planes[0]);
      MeasureFill(ground_m, sheet_m, margin, land);
      land.law = FitSlopeLaw(sheet_m, drainage, sheet_cell_m, margin);
    }
    AddRivers(drainage, SteepnessCodes(sheet_m, drainage, sheet_cell_m, land.law), sheet);
    land.sheets.push_back(std::move(sheet));
  }
  return land;
}

}  // namespace thalweg::real_land
