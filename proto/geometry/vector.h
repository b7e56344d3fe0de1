// Vectors of three components, and their arithmetic.
#pragma once

#include <cmath>

namespace thalweg::sphere {

// A point or a direction in space. Around a planet the origin is its middle: z to the north pole, x
// to latitude and longitude 0, y to longitude 90° east (right-handed). In the world of a plane x
// grows to the east, y to the south, z upward from the datum. (This is a left-handed system, like
// the rows and columns of tiles.)
struct Vector {
  double x = 0;
  double y = 0;
  double z = 0;
};

constexpr Vector operator+(const Vector& a, const Vector& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}

constexpr Vector operator-(const Vector& a, const Vector& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}

constexpr Vector operator*(double factor, const Vector& a) {
  return {factor * a.x, factor * a.y, factor * a.z};
}

constexpr double Dot(const Vector& a, const Vector& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

constexpr Vector Cross(const Vector& a, const Vector& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

inline double Length(const Vector& a) { return std::sqrt(Dot(a, a)); }

// Returns the direction as a vector of length 1. The length must not be 0.
inline Vector Unit(const Vector& a) { return 1 / Length(a) * a; }

}  // namespace thalweg::sphere
