// The label in a picture's corner.
#pragma once

#include <string>
#include <vector>

#include "proto/picture/image.h"

namespace thalweg::picture {

struct Label {
  // From top to bottom, in printable ASCII.
  std::vector<std::string> lines;
  // Spacing of the picture's pixels on the ground, for the scale bar.
  double cell_size_m = 1;
};

// A round length for a scale bar: 1, 2 or 5 times a power of ten, at most `longest_m`, which is
// above 0.
double ScaleBarLengthM(double longest_m);

// "500 m", "20 km", "0.5 m".
std::string LengthText(double length_m);

// Draws lines and scale bar over a translucent panel in the lower left corner, larger in larger
// pictures. Pictures that are too small for it stay as they are.
void DrawLabel(const Label& label, Image& image);

}  // namespace thalweg::picture
