// Points of rivers' curves, as ground_courses.comp makes them, in numbers of twice the bits.
#pragma once

#include <array>
#include <cstddef>

#include "shaders/kernels/course.glsl"

namespace thalweg::kernels {

struct Point {
  double x = 0;
  double y = 0;
  double z = 0;
};

inline Point operator*(double scale, Point a) { return {scale * a.x, scale * a.y, scale * a.z}; }
inline Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Point Middle(Point a, Point b) { return 0.5 * (a + b); }

// The three points of a way from which its curve is made: means of five vertices, with binomial
// weights.
inline std::array<Point, 3> SmoothPoints(const std::array<Point, kCourseVertices>& way) {
  constexpr std::array<double, 5> kWeights = {1, 4, 6, 4, 1};
  std::array<Point, 3> smooth;
  for (std::size_t k = 0; k < smooth.size(); ++k) {
    for (std::size_t m = 0; m < kWeights.size(); ++m) {
      smooth[k] = smooth[k] + kWeights[m] / 16 * way[k + m];
    }
  }
  return smooth;
}

// The place along a quadratic Bezier curve, for t from 0 to 1.
inline Point OnCurve(Point from, Point by, Point to, double t) {
  return (1 - t) * (1 - t) * from + 2 * t * (1 - t) * by + t * t * to;
}

}  // namespace thalweg::kernels
