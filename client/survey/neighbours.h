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

// The steps to all neighbours, clockwise from the east.
inline constexpr std::array<Step, 8> kSteps = {{{1, 0, 1},
                                                {1, 1, std::numbers::sqrt2},
                                                {0, 1, 1},
                                                {-1, 1, std::numbers::sqrt2},
                                                {-1, 0, 1},
                                                {-1, -1, std::numbers::sqrt2},
                                                {0, -1, 1},
                                                {1, -1, std::numbers::sqrt2}}};

// Returns the difference between the indices of a neighbour and of a vertex in a grid's values.
inline constexpr int Offset(const Step& step, int width) { return step.dy * width + step.dx; }

}  // namespace thalweg::survey
