// How many sources away a river of a planet may lie that shapes the ground at a vertex.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <random>
#include <vector>

#include "gtest/gtest.h"
#include "shaders/kernels/course.glsl"
#include "tests/size.h"
#include "tests/stages/course_points.h"

namespace thalweg::kernels {
namespace {

constexpr int kBits = 12;
constexpr std::int64_t kCells = std::int64_t{1} << kBits;
constexpr double kUnits = 256;

// Places are in units of this level's cells also for vertices of the next finer one.
Point PointAt(const FaceVertex& at, int bits) {
  const Place place = placeOnSphere(at.face, bits, at.x, at.y);
  const double unit = std::ldexp(1 / kUnits, kBits - bits);
  return unit * Point{static_cast<double>(place.x), static_cast<double>(place.y),
                      static_cast<double>(place.z)};
}

// The curve's points for a straight way from a source, displaced as far as ground can be.
std::vector<Point> CurveFrom(FaceVertex at, int direction, std::mt19937& random) {
  std::uniform_real_distribution<double> displaced(-0.7, 0.7);
  std::array<Point, kCourseVertices> way;
  for (Point& vertex : way) {
    const Frame frame = frameAt(kBits, at.x, at.y);
    const vec3 by =
        inSpace(at.face, scaled(frame.east, static_cast<float>(displaced(random))) +
                             scaled(frame.south, static_cast<float>(displaced(random))));
    vertex = PointAt(at, kBits) + Point{double{by.x}, double{by.y}, double{by.z}};
    const ivec2 to = neighbour((direction + 2 * at.turns) & 7);
    const FaceVertex next{at.face, at.turns, at.x + to.x, at.y + to.y};
    at = continuedOn(next, kCells);
  }
  const std::array<Point, 3> smooth = SmoothPoints(way);
  const Point from = Middle(smooth[0], smooth[1]);
  const Point to = Middle(smooth[1], smooth[2]);
  std::vector<Point> curve;
  for (int k = 0; k <= 8; ++k) {
    curve.push_back(OnCurve(from, smooth[1], to, k / 8.0));
  }
  return curve;
}

// A source in the lattice of a face that has it or is beside its own.
std::optional<FaceVertex> OnFace(const FaceVertex& source, int face) {
  if (source.face == face) return source;
  for (int side = 0; side < 4; ++side) {
    if (faceBeyond(face, side) == source.face) return backAcross(source, face, side, kCells);
  }
  return std::nullopt;
}

// The most sources, along an axis of the vertex's face, between a vertex that a curve shapes and
// the curve's first source.
std::int64_t FarthestShaped(const FaceVertex& source, const std::vector<Point>& curve, int face) {
  // Half of a bed and the valley beside it, in cells: see kCourseSearch.
  constexpr double kReach = 1.98;
  std::int64_t farthest = 0;
  const std::optional<FaceVertex> here = OnFace(source, face);
  if (!here) return 0;
  constexpr std::int64_t kAround = 16;
  for (std::int64_t y = 2 * (here->y - kAround); y <= 2 * (here->y + kAround); ++y) {
    for (std::int64_t x = 2 * (here->x - kAround); x <= 2 * (here->x + kAround); ++x) {
      if (std::min(x, y) < 0 || std::max(x, y) > 2 * kCells) continue;
      const Point at = PointAt({face, 0, x, y}, kBits + 1);
      const bool shapes = std::ranges::any_of(curve, [&](const Point& on) {
        return std::hypot(on.x - at.x, on.y - at.y, on.z - at.z) <= kReach;
      });
      if (!shapes) continue;
      farthest = std::max({farthest, std::abs((x >> 1) - here->x), std::abs((y >> 1) - here->y)});
    }
  }
  return farthest;
}

// Sources around corners, on edges and inside faces.
FaceVertex RandomSource(std::mt19937& random) {
  std::uniform_int_distribution<std::int64_t> anywhere(0, kCells);
  std::uniform_int_distribution<std::int64_t> near(0, 9);
  const auto coordinate = [&] {
    const std::int64_t away = random() % 3 == 0 ? anywhere(random) : near(random);
    return random() % 2 == 0 ? away : kCells - away;
  };
  const int face = static_cast<int>(random() % 6);
  return continuedOn({face, 0, coordinate(), coordinate()}, kCells);
}

TEST(CourseReachTest, RiversAreSearchedFarEnough) {
  std::mt19937 random(7);
  std::int64_t farthest = 0;
  for (int n = 0; n < FewOrAll(300, 6000); ++n) {
    FaceVertex source = RandomSource(random);
    source.turns = 0;
    const std::vector<Point> curve = CurveFrom(source, static_cast<int>(random() % 8), random);
    for (int face = 0; face < 6; ++face) {
      farthest = std::max(farthest, FarthestShaped(source, curve, face));
    }
  }
  EXPECT_LE(farthest, kCourseSearchOnSphere);
  // With a plane's search some would be missed.
  EXPECT_GT(farthest, kCourseSearch);
}

}  // namespace
}  // namespace thalweg::kernels
