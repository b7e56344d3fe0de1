// Pictures of which levels of detail cover the ground, over its relief.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "client/tools/picture/relief.h"
#include "proto/picture/image.h"

namespace thalweg::picture {

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
