// Measures everything of a region.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "client/tools/survey/depressions.h"
#include "client/tools/survey/grid.h"
#include "client/tools/survey/streams.h"
#include "client/tools/survey/surface.h"

namespace thalweg::survey {

// The vertices of a parent that a row of its child's vertices shares: parent vertex i is child
// vertex 2 i.
struct SharedVertices {
  // The first of the parent's vertices.
  std::int64_t first = 0;
  int count = 0;
  // The position of that vertex among the child's.
  int offset = 0;
};

// Returns what `count` vertices of the child from `first` on, at least 1, share with the parent.
SharedVertices ShareWithParent(std::int64_t first, int count);

// Child minus parent, in metres.
struct ParentDifference {
  double mean_m = 0;
  double rms_m = 0;
  // The largest absolute difference.
  double max_m = 0;
};

// Returns the child's height minus the parent's at each vertex of the parent, in rows. The parent's
// first vertex is the child's at offset_x and offset_y; the child has all of the parent's vertices.
std::vector<double> SubtractParent(const Grid<double>& child_m, const Grid<double>& parent_m,
                                   int offset_x, int offset_y);

// Needs at least one height, in metres.
ParentDifference DifferenceOf(std::span<const double> child_minus_parent_m);

// Min vertices on a side of a region.
inline constexpr int kMinSide = 16;

// A region of a level. All grids except the parent's have the shape of the ground, at least
// kMinSide on a side. Heights and thicknesses are in metres.
struct Terrain {
  Grid<double> ground_m;
  double cell_size_m = 1;
  // What the wavelengths of sectors are counted in, at least the cell's size: on a planet, where
  // the samples of a region are closer than vertices, the longest side of a cell of the level.
  // Absent: the cell's size.
  std::optional<double> wave_unit_m = {};
  std::optional<double> sea_level_m = {};
  // The surface of standing water; the ground's height where it is dry. Without it the sea is the
  // only standing water.
  std::optional<Grid<double>> water_m = {};
  std::optional<Grid<double>> wash_load_m = {};
  std::optional<Grid<double>> uplift_m = {};
  // Against the parent's ground at shared vertices.
  std::optional<ParentDifference> parent_difference = {};
  // The angle of repose that erosion at this level uses.
  std::optional<double> talus_deg = {};
};

// Eroded and deposited ground, as means over the region in metres. Absent: unknown.
struct MassBalance {
  // The change of the height, against the parent at shared vertices.
  std::optional<double> height_change_m;
  std::optional<double> wash_load_m;
  std::optional<double> uplift_m;
};

// Absent: unknown, or not defined for this ground.
struct Report {
  Hypsometry hypsometry;
  CellShare pits;
  CellShare depressions;
  // The share of cells under standing water.
  double wet_share = 0;
  // Only with a layer of water; the sea is not a lake.
  std::optional<Lakes> lakes;
  std::optional<double> concavity;
  std::optional<double> hack_exponent;
  std::optional<HortonRatios> horton;
  std::optional<double> spectral_slope;
  std::optional<std::array<double, 4>> directional_power;
  // For wavelengths of 3 to 6 and of 6 to 12 of Terrain::wave_unit_m.
  std::optional<std::array<double, 8>> short_sectors;
  std::optional<std::array<double, 8>> long_sectors;
  std::optional<double> median_relief_m;
  std::optional<Curvature> curvature;
  std::optional<double> sinuosity;
  LandformShares landforms = {};
  std::optional<AspectShares> aspects;
  Slopes slopes;
  std::optional<ParentDifference> parent_difference;
  MassBalance mass_balance;
};

// Surveys a region. Takes less than a second for a million vertices. The other headers of this
// folder have the definitions, and README.md the sources.
Report Measure(const Terrain& terrain);

}  // namespace thalweg::survey
