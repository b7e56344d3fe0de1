// The eight neighbours of a vertex.
#pragma once

#include <array>
#include <numbers>

namespace thalweg::survey {

// A step to a neighbour; its length is in cells.
struct Step {
  int dx;
  int dy;
  double length;
};

// Clockwise from the east.
inline constexpr std::array<Step, 8> kSteps = {{{1, 0, 1},
                                                {1, 1, std::numbers::sqrt2},
                                                {0, 1, 1},
                                                {-1, 1, std::numbers::sqrt2},
                                                {-1, 0, 1},
                                                {-1, -1, std::numbers::sqrt2},
                                                {0, -1, 1},
                                                {1, -1, std::numbers::sqrt2}}};

// How far apart, in a grid's values, a vertex and its neighbour lie.
inline constexpr int Offset(const Step& step, int width) { return step.dy * width + step.dx; }

}  // namespace thalweg::survey
