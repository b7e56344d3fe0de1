// Which levels of detail cover the ground, over its relief.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "client/picture/relief.h"
#include "proto/picture/image.h"

namespace thalweg::picture {

// The tiles that cover a grid's vertices, a value for each vertex.
struct LevelGrid {
  // The level, or below 0 where nothing is drawn.
  std::span<const std::int8_t> level;
  // The tile's number: a border is drawn where it changes.
  std::span<const std::uint32_t> tile;
};

// The colour of a level.
Color LevelColor(int level);

// A place in a picture, in pixels from its upper left corner.
struct PicturePoint {
  double x = 0;
  double y = 0;
};

// The grey relief under the levels' colours and the tiles' borders; where nothing is drawn it is
// black.
Image RenderLevels(const HeightGrid& grid, const LevelGrid& levels);

// A line with a dot at its end.
void DrawPath(PicturePoint from, PicturePoint to, Image& image);

// A legend in the upper left corner: a box of its colour and a name for each level.
struct LegendEntry {
  Color color;
  std::string text;
};
void DrawLegend(const std::vector<LegendEntry>& entries, Image& image);

}  // namespace thalweg::picture
