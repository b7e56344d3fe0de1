// Arithmetic of compilers, which turn specifications into the numbers that kernels take. A world's
// programs must be the same bits on every machine, so only IEEE + - * / and sqrt of doubles are
// used: those are correctly rounded everywhere, a C library's tan, sin or pow are not.
#pragma once

namespace thalweg::stages {

// The tangent of an angle of 0 to 85 degrees, to about 1e-12 of its value.
double TangentOfDegrees(double degrees);

// The nearest float, or 0 if that is so small that its products could be denormal, which devices
// may flush. The value must be finite and within a float's range.
float KernelFloat(double value);

// The nearest integer, halves up. The value must be within the range of int.
int RoundedInt(double value);

}  // namespace thalweg::stages
