// Arithmetic with points in space.
#pragma once

#include <cmath>

#include "proto/sphere/cube_sphere.h"

namespace thalweg::geographic {

inline sphere::Point Sum(const sphere::Point& a, const sphere::Point& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}

inline sphere::Point Difference(const sphere::Point& a, const sphere::Point& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}

inline sphere::Point Scaled(const sphere::Point& a, double factor) {
  return {a.x * factor, a.y * factor, a.z * factor};
}

inline double Dot(const sphere::Point& a, const sphere::Point& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

inline sphere::Point Cross(const sphere::Point& a, const sphere::Point& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

inline double Length(const sphere::Point& a) { return std::sqrt(Dot(a, a)); }

// The vector must not be 0.
inline sphere::Point UnitOf(const sphere::Point& a) { return Scaled(a, 1 / Length(a)); }

}  // namespace thalweg::geographic
