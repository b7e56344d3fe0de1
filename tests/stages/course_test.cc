// The curves of rivers on ground.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "server/stages/stage.h"
#include "tests/size.h"

namespace thalweg::stages {
namespace {

struct Point {
  double x = 0;
  double y = 0;
};

Point Middle(Point a, Point b) { return {(a.x + b.x) / 2, (a.y + b.y) / 2}; }

glm::ivec2 Rounded(Point point) {
  return {static_cast<int>(std::floor(point.x)), static_cast<int>(std::floor(point.y))};
}

// The curve of a random way, as ground_courses.comp makes it: vertices are displaced by up to 0.7
// of a cell, and five of them with binomial weights are a control point.
kernels::Course RandomCourse(std::mt19937& random) {
  std::uniform_real_distribution<double> displaced(-0.7, 0.7);
  std::uniform_int_distribution<int> turns(-2, 2);
  std::array<Point, kernels::kCourseVertices> way;
  int direction = 8 + turns(random);
  Point at;
  for (Point& vertex : way) {
    vertex = {256 * (at.x + displaced(random)), 256 * (at.y + displaced(random))};
    direction += turns(random) / 2 + 8;
    const glm::ivec2 to = kernels::neighbour(direction & 7);
    at = {at.x + to.x, at.y + to.y};
  }
  constexpr std::array<double, 5> kWeights = {1, 4, 6, 4, 1};
  std::array<Point, 3> smooth;
  for (std::size_t k = 0; k < smooth.size(); ++k) {
    for (std::size_t m = 0; m < kWeights.size(); ++m) {
      smooth[k].x += kWeights[m] * way[k + m].x / 16;
      smooth[k].y += kWeights[m] * way[k + m].y / 16;
    }
  }
  return {.from = Rounded(Middle(smooth[0], smooth[1])),
          .by = Rounded(smooth[1]),
          .to = Rounded(Middle(smooth[1], smooth[2])),
          .height_from = 0,
          .height_to = 0,
          .areas = 1};
}

Point On(const kernels::Course& course, double t) {
  const double a = (1 - t) * (1 - t);
  const double b = 2 * t * (1 - t);
  const double c = t * t;
  return {a * course.from.x + b * course.by.x + c * course.to.x,
          a * course.from.y + b * course.by.y + c * course.to.y};
}

double Distance(const kernels::Course& course, Point place) {
  constexpr int kSteps = 4000;
  double least = 1e9;
  for (int k = 0; k <= kSteps; ++k) {
    const Point on = On(course, static_cast<double>(k) / kSteps);
    least = std::min(least, std::hypot(on.x - place.x, on.y - place.y));
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
    const kernels::Course course = RandomCourse(random);
    const Point at{place(random), place(random)};
    const auto x = static_cast<float>(at.x);
    const auto y = static_cast<float>(at.y);
    const kernels::CoursePoint pieces = kernels::nearestOfPieces(course, x, y);
    const kernels::CoursePoint curve = kernels::nearestOfCourse(course, pieces, x, y);
    const double exact = Distance(course, at);
    const double beside = std::sqrt(static_cast<double>(pieces.square)) - exact;
    kernels::Course one = course;
    one.by =
        Rounded(Middle({static_cast<double>(course.from.x), static_cast<double>(course.from.y)},
                       {static_cast<double>(course.to.x), static_cast<double>(course.to.y)}));
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
  course.to = {256, 0};
  course.by = {128, 0};
  const kernels::CoursePoint before = kernels::nearestOfPieces(course, -100, 0);
  EXPECT_EQ(before.along, 0);
  EXPECT_EQ(before.square, 10'000);
  const kernels::CoursePoint beside = kernels::nearestOfPieces(course, 64, 3);
  EXPECT_NEAR(beside.along, 0.25, 1e-5);
  EXPECT_EQ(beside.square, 9);
}

}  // namespace
}  // namespace thalweg::stages
