// Arithmetic that Vulkan and C++ define to the last bit. Division, sqrt and their kin are not: their
// precision is the driver's choice (Vulkan 1.3, "Precision and Operation of SPIR-V Instructions").
#ifndef THALWEG_KERNELS_EXACT
#define THALWEG_KERNELS_EXACT

#include "language.glsl"

KERNELS_BEGIN

// 1 / sqrt(x) for a normal x > 0, to about 2^-22: an integer guess (Lomont 2003) and three Newton steps.
KERNEL float reciprocalSqrt(float x) {
  float half_x = 0.5f * x;
  float y = uintBitsToFloat(0x5f375a86u - (floatBitsToUint(x) >> 1));
  y = y * (1.5f - half_x * y * y);
  y = y * (1.5f - half_x * y * y);
  y = y * (1.5f - half_x * y * y);
  return y;
}

// 1 / x for a normal x > 0, to about 2^-22: an integer guess and three Newton steps.
KERNEL float reciprocal(float x) {
  float y = uintBitsToFloat(0x7ef311c7u - floatBitsToUint(x));
  y = y * (2.0f - x * y);
  y = y * (2.0f - x * y);
  y = y * (2.0f - x * y);
  return y;
}

// floor(value * weight / 65,536) for a weight of 0 to 65,536, without a 64-bit product.
KERNEL uint scaleByWeight(uint value, uint weight) {
  return (value >> 16) * weight + (((value & 65535u) * weight) >> 16);
}

KERNELS_END

#endif
