#include "client/import/land_rivers.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <utility>

#include "client/survey/deep_pits.h"
#include "client/survey/flood.h"
#include "client/survey/neighbours.h"
#include "client/survey/quantile.h"

namespace thalweg::real_land {
namespace {

using survey::Drainage;
using survey::Flood;
using survey::Grid;
using survey::kOutlet;

// Slopes are measured over several steps, because heights are often rounded to metres.
constexpr int kStepsDown = 4;
constexpr int kMinChannel = 100;
// Min steepness of a law, for flat ground.
constexpr double kMinSlope = 1e-4;
constexpr double kSharpness = 2.5;
constexpr double kSteeperDeg = 15;

// Returns a random number for a cell (Steele, Lea & Flood 2014), 0 to 2^32 - 1.
std::uint32_t ChanceOf(std::int32_t cell) {
  std::uint64_t bits = static_cast<std::uint64_t>(cell) * 0x9e3779b97f4a7c15u + 0x2545f4914f6cdd1du;
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
  return static_cast<std::uint32_t>(bits >> 32);
}

// Lets each inner cell drain to the neighbour of steepest descent, after each fall is reduced by a
// random part of up to a half, as in shaders/kernels/rivers.glsl. Without this, even slopes would
// drain along the grid's eight directions.
void LetWaysWander(const Grid<double>& surface_m, Drainage& drainage) {
  constexpr double kDiagonal = 0.66;
  for (int y = 1; y + 1 < surface_m.height; ++y) {
    for (int x = 1; x + 1 < surface_m.width; ++x) {
      const std::size_t i = surface_m.Index(x, y);
      if (drainage.receiver[i] == kOutlet) continue;
      const auto cell = static_cast<std::int32_t>(i);
      const std::uint32_t chance = ChanceOf(cell);
      double steepest = 0;
      for (unsigned direction = 0; direction < survey::kSteps.size(); ++direction) {
        const survey::Step& step = survey::kSteps[direction];
        const double fall = surface_m.values[i] - surface_m.At(x + step.dx, y + step.dy);
        const double part = ((chance >> (4 * direction)) & 15u) / 32.0;
        const double weighed = fall * (step.length > 1 ? kDiagonal : 1) * (1 - part);
        if (weighed <= steepest) continue;
        steepest = weighed;
        drainage.receiver[i] = cell + survey::Offset(step, surface_m.width);
      }
    }
  }
}

// Returns the slope of the way over the next steps; 0 where the water ends at once.
double SlopeDown(const Grid<double>& ground_m, const Drainage& drainage, double cell_m,
                 std::int32_t cell) {
  std::int32_t at = cell;
  double length_m = 0;
  for (int step = 0; step < kStepsDown; ++step) {
    const std::int32_t next = drainage.receiver[static_cast<std::size_t>(at)];
    if (next == kOutlet) break;
    length_m += drainage.StepLength(at) * cell_m;
    at = next;
  }
  if (at == cell) return 0;
  const double fall_m = ground_m.values[static_cast<std::size_t>(cell)] -
                        ground_m.values[static_cast<std::size_t>(at)];
  return std::max(fall_m / length_m, kMinSlope);
}

double Degrees(double slope) { return std::atan(slope) * 180 / std::numbers::pi; }

}  // namespace

Drainage DrainageOf(Grid<double> ground_m, std::optional<double> sea_level_m,
                    double deepest_fill_m) {
  // Water ends at ground below sea level, but not at ground exactly at sea level.
  const double lowest = -std::numeric_limits<double>::infinity();
  const double outlet = sea_level_m ? std::nextafter(*sea_level_m, lowest) : lowest;
  const std::vector<std::int32_t> pits = survey::DeepPits(ground_m, outlet, deepest_fill_m);
  Flood flood = FloodFromOutlets(std::move(ground_m), sea_level_m, pits);
  // On flats, water follows the flood's path backwards.
  Drainage drainage{.width = flood.surface_m.width,
                    .height = flood.surface_m.height,
                    .receiver = std::move(flood.source),
                    .order = std::move(flood.order),
                    .area = {},
                    .length = {}};
  LetWaysWander(flood.surface_m, drainage);
  flood.surface_m = {};
  Accumulate(drainage);
  drainage.length = std::vector<double>();
  return drainage;
}

void LetWaterFall(const Drainage& drainage, std::int32_t fall, std::vector<std::int32_t>& ground) {
  for (const std::int32_t cell : drainage.order) {
    const auto i = static_cast<std::size_t>(cell);
    const std::int32_t receiver = drainage.receiver[i];
    if (receiver == kOutlet) continue;
    ground[i] = std::max(ground[i], ground[static_cast<std::size_t>(receiver)] + fall);
  }
}

SlopeLaw FitSlopeLaw(const Grid<double>& ground_m, const Drainage& drainage, double cell_m,
                     int margin) {
  SlopeLaw law;
  std::vector<double> channels;
  std::vector<double> steps;
  steps.reserve(drainage.receiver.size());
  for (int y = margin; y < ground_m.height - margin; ++y) {
    for (int x = margin; x < ground_m.width - margin; ++x) {
      const std::size_t i = ground_m.Index(x, y);
      const std::int32_t receiver = drainage.receiver[i];
      if (receiver == kOutlet) continue;
      const auto cell = static_cast<std::int32_t>(i);
      steps.push_back((ground_m.values[i] - ground_m.values[static_cast<std::size_t>(receiver)]) /
                      (drainage.StepLength(cell) * cell_m));
      const int area = drainage.area[i];
      if (area < kMinChannel) continue;
      channels.push_back(SlopeDown(ground_m, drainage, cell_m, cell) *
                         std::pow(area * cell_m * cell_m, law.concavity));
    }
  }
  constexpr double kMax = 0.98;
  if (!steps.empty()) {
    law.repose_deg = std::clamp(std::round(Degrees(survey::Quantile(steps, kMax))), 25.0, 50.0);
  }
  law.steepest_deg = law.repose_deg + kSteeperDeg;
  if (!channels.empty()) {
    law.steepness = std::clamp(std::round(10 * survey::Quantile(channels, 0.5)) / 10, 0.1, 1000.0);
  }
  return law;
}

std::vector<int> SteepnessCodes(const Grid<double>& ground_m, const Drainage& drainage,
                                double cell_m, const SlopeLaw& law) {
  const double repose = std::tan(law.steepest_deg * std::numbers::pi / 180);
  std::vector<int> codes(drainage.receiver.size());
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const double slope =
        SlopeDown(ground_m, drainage, cell_m, static_cast<std::int32_t>(i)) / repose;
    const double lawful =
        law.steepness * std::pow(drainage.area[i] * cell_m * cell_m, -law.concavity) / repose;
    // The law's slope s is limited to (s^-2.5 + 1)^-0.4 of the angle of repose: see
    // shaders/kernels/rivers.glsl.
    double factor = 256;
    if (slope <= 0) factor = 1;
    if (slope > 0 && slope < 1) {
      factor = std::pow(std::pow(slope, -kSharpness) - 1, -1 / kSharpness) / lawful;
    }
    const double octaves = std::log2(std::clamp(factor, 1.0 / 256, 256.0));
    codes[i] = std::clamp(128 + static_cast<int>(std::floor(16 * octaves + 0.5)), 1, 255);
  }
  return codes;
}

}  // namespace thalweg::real_land
