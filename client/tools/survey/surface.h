// Measures of the ground's surface: slopes, curvature, forms, relief and hypsometry.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "client/tools/survey/grid.h"

namespace thalweg::survey {

// How curvature is distributed: the Laplacian of the ground after a Gaussian filter of one cell.
struct Curvature {
  // Above 0 the land has narrow valleys in wide uplands, as where young gullies cut a plateau;
  // below 0 sharp crests between wide valleys, as in old mountains. Mountains have -0.1 to -0.8.
  double skewness = 0;
  // The fourth central moment divided by the square of the variance: 3 for noise with a normal
  // distribution, 4 to 25 on real land, which is rough in patches.
  double kurtosis = 0;
};

// Nothing for a plane.
std::optional<Curvature> MeasureCurvature(const Grid<double>& ground_m);

// How ground that is steeper than kAspectGradient faces: the shares of aspects modulo 45 degrees in
// nine bins of 5 degrees, divided by the mean share. A lattice of squares that shows in the ground
// fills the first bin and the last. Heights and cell are in metres. Nothing without such ground.
inline constexpr double kAspectGradient = 0.2;
using AspectShares = std::array<double, 9>;
std::optional<AspectShares> MeasureAspects(const Grid<double>& ground_m, double cell_size_m);

// The ten most common forms, in the order that GRASS numbers them.
inline constexpr std::array<std::string_view, 10> kLandforms = {
    "flat", "peak", "ridge", "shoulder", "spur", "slope", "hollow", "footslope", "valley", "pit"};
using LandformShares = std::array<double, kLandforms.size()>;

// Measures geomorphons (Jasiewicz & Stepinski 2013), as GRASS's r.geomorphon does. In each of eight
// directions, within the search radius, ground is above a vertex, below it or level with it: the
// highest or the lowest line of sight decides, whichever is farther from level, if by more than the
// angle. The numbers of directions above and below give the form. Returns the shares among vertices
// at least the radius from the edge; all 0 without such vertices.
inline constexpr int kLandformSearchCells = 15;
inline constexpr double kLandformFlatDeg = 2;
LandformShares MeasureLandforms(const Grid<double>& ground_m, double cell_size_m);

// The side of the square that relief is measured in, in metres.
inline constexpr double kReliefSideM = 1000;

// Returns the median, over all vertices, of the difference between the highest and the lowest
// ground in a square of kReliefSideM around the vertex, at least 3 x 3 cells. Heights and cell are
// in metres. Nothing if the square is larger than the grid.
std::optional<double> MedianRelief(const Grid<double>& ground_m, double cell_size_m);

// The percentiles of slopes that are reported.
inline constexpr std::array<int, 6> kSlopePercentiles = {5, 25, 50, 75, 95, 99};

// The percentiles of gradients that are reported.
inline constexpr std::array<int, 4> kGradientPercentiles = {10, 50, 90, 99};

// Slopes that exceed the talus by this many degrees are counted separately.
inline constexpr double kTalusMarginDeg = 5;

struct Slopes {
  // In degrees, in the order of kSlopePercentiles.
  std::array<double, kSlopePercentiles.size()> percentiles_deg = {};
  // The gradient by central differences, in degrees, in the order of kGradientPercentiles.
  std::array<double, kGradientPercentiles.size()> gradients_deg = {};
  // The shares of slopes above the talus, and above the talus plus kTalusMarginDeg. Absent without
  // a talus.
  std::optional<double> over_talus;
  std::optional<double> far_over_talus;
};

// Measures slopes. The slope of a cell is its steepest descent to one of its eight neighbours, 0 in
// a pit, as in thermal erosion. Cells at the edge of the grid are left out. Percentiles are
// interpolated between ranks. Needs at least 3 x 3 heights; they and the cell's size are in metres.
Slopes MeasureSlopes(const Grid<double>& ground_m, double cell_size_m,
                     std::optional<double> talus_deg);

// How heights are distributed.
struct Hypsometry {
  double min_m = 0;
  double max_m = 0;
  double mean_m = 0;
  // The integral of the hypsometric curve, computed as the elevation-relief ratio, which equals it
  // (Pike & Wilson 1971): (mean - min) / (max - min). Absent on flat ground.
  std::optional<double> integral;
};

// Needs at least one height, in metres.
Hypsometry MeasureHypsometry(const Grid<double>& ground_m);

}  // namespace thalweg::survey
