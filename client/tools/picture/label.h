// The label in a picture's corner.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "proto/picture/image.h"

namespace thalweg::picture {

// Rows of dots in a line of text of the labels' small proportional bitmap font: seven above the
// baseline, two below.
inline constexpr int kFontHeight = 9;

// Returns the width in dots of a line of printable ASCII.
int TextWidth(std::string_view text);

// Calls `dot` for each dot of the text; (0, 0) is its upper left corner. Characters that are not
// printable ASCII become boxes.
void DrawText(std::string_view text, const std::function<void(int x, int y)>& dot);

struct Label {
  // From top to bottom, in printable ASCII.
  std::vector<std::string> lines;
  // The spacing of the picture's pixels on the ground in metres, for the scale bar.
  double cell_size_m = 1;
};

// Returns a round length for a scale bar: 1, 2 or 5 times a power of ten, at most `longest_m`,
// which must be above 0.
double ScaleBarLengthM(double longest_m);

// Returns a length such as "500 m", "20 km" or "0.5 m".
std::string LengthText(double length_m);

// Draws the lines and the scale bar on a translucent panel in the lower left corner, larger in
// larger pictures. A picture that is too small for it is not changed.
void DrawLabel(const Label& label, Image& image);

}  // namespace thalweg::picture
