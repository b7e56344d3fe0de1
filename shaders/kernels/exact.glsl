// Arithmetic that Vulkan and C++ define to the last bit. Division, sqrt and similar operations are
// not so defined: drivers choose their precision (Vulkan 1.3, "Precision and Operation of SPIR-V
// Instructions").
#ifndef THALWEG_KERNELS_EXACT
#define THALWEG_KERNELS_EXACT

#include "language.glsl"

KERNELS_BEGIN

// 1 / sqrt(x) for a normal x > 0, to about 2^-22: an integer guess (Lomont 2003) and three Newton
// steps.
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

// sqrt(x) for x >= 0.
KERNEL float lengthOf(float squared) { return squared * reciprocalSqrt(max(squared, 1e-20f)); }

// The largest change of a height, in height units: 16,384 m.
CONSTANT int kLargestChange = 1 << 30;

// a - b, held to the largest change, so that no difference of heights overflows. Their halves' difference never does.
KERNEL int heldDifference(int a, int b) {
  int most = kLargestChange;
  int halves = (a >> 1) - (b >> 1);
  int near = clamp(int(uint(a) - uint(b)), -most, most);
  return halves > (most >> 1) ? most : (halves < -(most >> 1) ? -most : near);
}

// Ground is at most this far above or below the datum, in height units: 16,384 m. So the difference of two heights, and
// a height changed by up to as much, do not overflow. What makes ground holds it to this.
CONSTANT int kHighestGround = (1 << 30) - 1;
KERNEL int heldHeight(int height) { return clamp(height, -kHighestGround, kHighestGround); }

// A change of the ground by this many height units, rounded down and held to the largest.
KERNEL int heldChange(float units) {
  float most = float(kLargestChange);
  return int(floor(clamp(units, -most, most)));
}

// What is left of a change on this ground, since the result is held too.
KERNEL int changeOn(int ground, int change) { return heldHeight(ground + change) - ground; }

// floor(value / 2^bits). Processors have no vectors of signed 64-bit shifts, so C++ shifts without a sign.
KERNEL int64_t floorShift(int64_t value, int bits) {
#ifdef __cplusplus
  uint64_t sign = uint64_t(1u) << 63;
  return int64_t((uint64_t(value) ^ sign) >> bits) - int64_t(sign >> bits);
#else
  return value >> bits;
#endif
}

// floor(value * weight / 65,536) for a weight of 0 to 65,536, without a 64-bit product.
KERNEL uint scaleByWeight(uint value, uint weight) {
  return (value >> 16) * weight + (((value & 65535u) * weight) >> 16);
}

// The number of the highest bit that is set; less than 0 for 0. 24 bits are exact in a float, whose exponent it is.
KERNEL int topBit(uint bits) {
  uint above = bits >> 8;
  uint exponent = floatBitsToUint(float(int(above != 0u ? above : bits))) >> 23;
  return int(exponent) - 127 + (above != 0u ? 8 : 0);
}

// a or b: a if `first` is 1, b if it is 0.
KERNEL uint64_t chosenOf(int first, uint64_t a, uint64_t b) {
  uint64_t mask = uint64_t(0u) - uint64_t(uint(first));
  return (a & mask) | (b & ~mask);
}

// a - b, rounded to a float; exact arithmetic before that, however far apart they are.
KERNEL float differenceOf(int a, int b) {
  return a >= b ? float(uint(a) - uint(b)) : 0.0f - float(uint(b) - uint(a));
}

// log2(x) for a normal x > 0, to 1e-4: the exponent, and a polynomial of the mantissa.
KERNEL float logarithm(float x) {
  uint bits = floatBitsToUint(x);
  float whole = float(int(bits >> 23) - 127);
  float t = uintBitsToFloat((bits & 0x007fffffu) | 0x3f800000u) - 1.0f;
  float fraction = 0.4135557f + t * (-0.1912633f + t * 0.0442441f);
  return whole + t * (1.4418359f + t * (-0.7083723f + t * fraction));
}

// 2^x for |x| < 126, to 2 parts in 10^4.
KERNEL float powerOfTwo(float x) {
  float whole = floor(x);
  float t = x - whole;
  float mantissa = 1.0f + t * (0.6958567f + t * (0.2249989f + t * 0.0791444f));
  return uintBitsToFloat(uint(int(whole) + 127) << 23) * mantissa;
}

// x^exponent for a normal x > 0 and a result between 2^-125 and 2^125, to a part in 10^3.
KERNEL float power(float x, float exponent) { return powerOfTwo(logarithm(x) * exponent); }

KERNELS_END

#endif
