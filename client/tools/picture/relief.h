// Shaded relief: draws heights as a picture, and over it other layers, or which levels of detail
// cover the ground. Pure functions: the same heights give the same
// picture, whatever the number of threads.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "proto/picture/image.h"
#include "proto/picture/ramp.h"
#include "proto/picture/shade.h"
#include "thalweg/layer.h"

namespace thalweg::picture {

// A rectangle of vertices, rows from north to south, each from west to east.
struct HeightGrid {
  // width x height values in 1/65,536 m.
  std::span<const std::int32_t> q16;
  int width = 0;
  int height = 0;
  double cell_size_m = 1;
};

struct ReliefOptions {
  // The land's ramp begins here. Ground below it is sea, unless the depth is given.
  std::optional<double> sea_level_m = std::nullopt;
  // Empty, or as many values as heights, in 1/65,536 m: water stands where the depth is above 0.
  std::span<const std::int32_t> water_depth = {};
  // Empty, or as many values as heights: rivers are drawn over the ground.
  std::span<const std::int32_t> flow = {};
  // 0: as many threads as the machine runs at a time.
  int threads = 0;
};

// Returns the slope at a vertex by Horn's weights over its eight neighbours. The border's values
// are repeated beyond the border.
Slope SlopeAt(const HeightGrid& grid, int x, int y);

// Draws a relief with hypsometric tints, in multidirectional light. Valleys are a little darker
// than ridges. The image has width x height pixels.
Image RenderRelief(const HeightGrid& grid, const ReliefOptions& options);

// A layer to draw over a relief.
struct LayerGrid {
  Layer layer = Layer::kFlow;
  // As many values as heights.
  std::span<const std::int32_t> values;
  // For directions to the shore: empty, or as many distances as values. Where no shore was found,
  // the relief stays bare.
  std::span<const std::int32_t> shore_distance = {};
};

// Draws the ground's cover in the relief's light, seen from above. `cover` has as many values as
// heights; `water_depth` too, or none.
Image RenderSatellite(const HeightGrid& grid, std::span<const std::int32_t> cover,
                      std::span<const std::int32_t> water_depth, int threads = 0);

// Draws a grey relief under the colours of another layer.
Image RenderLayer(const HeightGrid& grid, const LayerGrid& layer, int threads = 0);

// How far ground lies below its surroundings, to shade valleys softly. Returns about the concavity,
// as a slope, at each vertex of the rows [first_row, first_row + rows). It is the mean height of
// the 2 radius + 1 square around the vertex, smoothed again by the same square, minus the vertex's
// height, over radius cells. Above 0 in valleys, below 0 on ridges. Beyond the border its values
// are repeated. Rows may be computed in any parts.
std::vector<float> ValleyDepth(const HeightGrid& grid, int first_row, int rows, int radius);

// Writes width x height values of Layer::kNormal as a 16-bit RGB normal map: east, north and up
// from -1 (0) to 1 (65,535).
absl::Status WriteNormalPng16(std::span<const std::int32_t> values, int width, int height,
                              const std::vector<PngText>& texts, const ByteSink& sink);

// The tiles that cover a grid's vertices, a value for each vertex.
struct LevelGrid {
  // The level; below 0 where nothing is drawn.
  std::span<const std::int8_t> level;
  // A number for each tile: a border is drawn where it changes.
  std::span<const std::uint32_t> tile;
};

// Returns the colour of a level.
Color LevelColor(int level);

// A position in a picture, in pixels from its upper left corner.
struct PicturePoint {
  double x = 0;
  double y = 0;
};

// Draws the grey relief under the levels' colours and the tiles' borders; black where no tile is
// drawn.
Image RenderLevels(const HeightGrid& grid, const LevelGrid& levels);

// Draws a line with a dot at its end.
void DrawPath(PicturePoint from, PicturePoint to, Image& image);

// An entry of a legend, which DrawLegend draws in the upper left corner: a coloured box and a name.
struct LegendEntry {
  Color color;
  std::string text;
};
void DrawLegend(const std::vector<LegendEntry>& entries, Image& image);

}  // namespace thalweg::picture
