// Arithmetic for turning specifications into the numbers that kernels take. A world's programs must
// be the same bits on every machine. So only IEEE + - * / and sqrt of doubles are used: they are
// rounded correctly everywhere, but a C library's tan, sin and pow are not.
#pragma once

namespace thalweg::stages {

// The tangent of an angle from 0 to 85 degrees, with a relative error of about 1e-12.
double TangentOfDegrees(double degrees);

// The unit vector of a heading from 0 to 360 degrees, clockwise from north.
struct Heading {
  double east = 0;
  double south = 0;
};
Heading HeadingOf(double degrees);

// The nearest float; or 0 if it is so small that its products could be denormal, which devices may
// flush. The value must be finite and within a float's range.
float KernelFloat(double value);

// The nearest integer; halves are rounded up. The value must be within the range of int.
int RoundedInt(double value);

// A thickness of at least 0 in height units, rounded and held to 2^30: heights are no thicker, and
// the sum of a height and a thickness does not overflow.
int HeldThickness(double units);

}  // namespace thalweg::stages
