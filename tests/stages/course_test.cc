// The curves of rivers on ground.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "server/stages/stage.h"
#include "tests/size.h"
#include "tests/stages/course_points.h"

namespace thalweg::stages {
namespace {

using kernels::Middle;
using kernels::Point;

Point PointOf(glm::ivec3 at) { return {1.0 * at.x, 1.0 * at.y, 1.0 * at.z}; }
Point PointOf(glm::vec3 at) { return {double{at.x}, double{at.y}, double{at.z}}; }

glm::ivec3 Rounded(Point point) {
  return {static_cast<int>(std::floor(point.x)), static_cast<int>(std::floor(point.y)),
          static_cast<int>(std::floor(point.z))};
}

// Steps to the next column and row, in cells: those of a plane, or those in space at a random place
// of a planet's face.
struct Steps {
  Point east{1, 0, 0};
  Point south{0, 1, 0};
};
Steps RandomSteps(std::mt19937& random) {
  if (random() % 2 == 0) return {};
  constexpr int kBits = 20;
  std::uniform_int_distribution<std::int64_t> coordinate(0, std::int64_t{1} << kBits);
  const kernels::Frame frame = kernels::frameAt(kBits, coordinate(random), coordinate(random));
  return {PointOf(frame.east), PointOf(frame.south)};
}

// The curve of a random way, as ground_courses.comp makes it: vertices are displaced by up to 0.7
// of a cell, and five of them with binomial weights are a control point.
kernels::Course RandomCourse(const Steps& steps, std::mt19937& random) {
  std::uniform_real_distribution<double> displaced(-0.7, 0.7);
  std::uniform_int_distribution<int> turns(-2, 2);
  std::array<Point, kernels::kCourseVertices> way;
  int direction = 8 + turns(random);
  double column = 0;
  double row = 0;
  for (Point& vertex : way) {
    vertex =
        256 * ((column + displaced(random)) * steps.east + (row + displaced(random)) * steps.south);
    direction += turns(random) / 2 + 8;
    const glm::ivec2 to = kernels::neighbour(direction & 7);
    column += to.x;
    row += to.y;
  }
  const std::array<Point, 3> smooth = kernels::SmoothPoints(way);
  return {.in_space = true,
          .from = Rounded(Middle(smooth[0], smooth[1])),
          .by = Rounded(smooth[1]),
          .to = Rounded(Middle(smooth[1], smooth[2])),
          .height_from = 0,
          .height_to = 0,
          .areas = 1};
}

Point On(const kernels::Course& course, double t) {
  return OnCurve(PointOf(course.from), PointOf(course.by), PointOf(course.to), t);
}

double Distance(const kernels::Course& course, Point place) {
  constexpr int kSteps = 4000;
  double least = 1e9;
  for (int k = 0; k <= kSteps; ++k) {
    const Point on = On(course, static_cast<double>(k) / kSteps);
    least = std::min(least, std::hypot(on.x - place.x, on.y - place.y, on.z - place.z));
  }
  return least;
}

// A vertex that is farther from the pieces than a river reaches is not looked at again, so the
// curve may not be nearer than its pieces by more than the slack.
TEST(CourseTest, IsWithinItsSlackOfItsPieces) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> place(-256, 6 * 256);
  double largest_of_one = 0;
  for (int k = 0; k < FewOrAll(200, 2000); ++k) {
    const Steps steps = RandomSteps(random);
    const kernels::Course course = RandomCourse(steps, random);
    const Point at = place(random) * steps.east + place(random) * steps.south;
    const glm::vec3 from_first(at.x, at.y, at.z);
    const kernels::CoursePoint pieces = kernels::nearestOfPieces(course, from_first);
    const kernels::CoursePoint curve = kernels::nearestOfCourse(course, pieces, from_first);
    const double exact = Distance(course, at);
    const double beside = std::sqrt(static_cast<double>(pieces.square)) - exact;
    kernels::Course one = course;
    one.by = Rounded(Middle(PointOf(course.from), PointOf(course.to)));
    largest_of_one = std::max(largest_of_one, std::abs(Distance(one, at) - exact));
    EXPECT_LE(std::abs(beside), static_cast<double>(kernels::kCourseSlack)) << k;
    EXPECT_NEAR(std::sqrt(static_cast<double>(curve.square)), exact, 2) << k;
  }
  // One piece instead of four would be too far away.
  EXPECT_GT(largest_of_one, static_cast<double>(kernels::kCourseSlack));
}

// Along a straight curve, and before it.
TEST(CourseTest, FindsThePositionAlongTheCourse) {
  kernels::Course course{};
  course.to = {256, 0, 0};
  course.by = {128, 0, 0};
  const kernels::CoursePoint before = kernels::nearestOfPieces(course, {-100, 0, 0});
  EXPECT_EQ(before.along, 0);
  EXPECT_EQ(before.square, 10'000);
  const kernels::CoursePoint beside = kernels::nearestOfPieces(course, {64, 3, 0});
  EXPECT_NEAR(beside.along, 0.25, 1e-5);
  EXPECT_EQ(beside.square, 9);
}

}  // namespace
}  // namespace thalweg::stages
