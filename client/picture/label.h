// The label in a picture's corner.
#pragma once

#include <string>
#include <vector>

#include "proto/picture/image.h"

namespace thalweg::picture {

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
