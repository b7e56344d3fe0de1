#include "proto/geometry/cube_sphere.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <set>
#include <utility>

#include "tests/proto/geometry/continued.h"

namespace thalweg::sphere {
namespace {

constexpr double kExact = 1e-14;

Vector PointAt(const Vertex& vertex, std::int64_t cells) {
  const auto part = [cells](std::int64_t coordinate) {
    return static_cast<double>(coordinate) / static_cast<double>(cells);
  };
  return PointOf(FacePlace{vertex.face, part(vertex.x), part(vertex.y)});
}

double Apart(const Vector& a, const Vector& b) {
  return std::hypot(a.x - b.x, a.y - b.y, a.z - b.z);
}

// A vertex on a side of a face.
Vertex OnSide(int face, Side side, std::int64_t along, std::int64_t cells) {
  switch (side) {
    case Side::kEast:
      return {face, cells, along};
    case Side::kSouth:
      return {face, along, cells};
    case Side::kWest:
      return {face, 0, along};
    case Side::kNorth:
      return {face, along, 0};
  }
  return {};
}

// The side of the vertex's face beyond which this other face is.
Side SideOf(const Vertex& vertex, int face) {
  return *std::ranges::find_if(kSides,
                               [&](Side side) { return Beyond(vertex.face, side).face == face; });
}

class CubeFaces : public testing::Test {
 protected:
  std::int64_t Below(std::int64_t end) {
    return std::uniform_int_distribution<std::int64_t>(0, end - 1)(random_);
  }
  std::mt19937_64 random_{20261123};
};

TEST_F(CubeFaces, HasTwelveEdgesThatBothFacesAgreeOn) {
  std::set<std::pair<int, int>> edges;
  for (int face = 0; face < kFaces; ++face) {
    for (const Side side : kSides) {
      const Crossing there = Beyond(face, side);
      edges.insert(std::minmax(face, there.face));
      // The way back has the remaining turns of a full turn.
      const auto back = static_cast<Side>((static_cast<int>(side) + there.turns + 2) % 4);
      EXPECT_EQ(Beyond(there.face, back), (Crossing{face, (4 - there.turns) % 4}));
    }
  }
  EXPECT_EQ(edges.size(), 12);
}

TEST_F(CubeFaces, EachLatticeGivesTheSamePointOfTheSphere) {
  for (int level = 0; level <= 16; ++level) {
    const std::int64_t cells = std::int64_t{256} << level;
    for (int face = 0; face < kFaces; ++face) {
      for (const Side side : kSides) {
        const Vertex vertex = OnSide(face, side, 1 + Below(cells - 1), cells);
        const auto same = SameAs(vertex, cells);
        ASSERT_EQ(same.size(), 2);
        EXPECT_LT(Apart(PointAt(same[0], cells), PointAt(same[1], cells)), kExact);
        EXPECT_EQ(Across(same[1], SideOf(same[1], face), cells), vertex);
        EXPECT_EQ(OwnerOf(same[0], cells), OwnerOf(same[1], cells));
        EXPECT_EQ(OwnerOf(vertex, cells).face, std::min(same[0].face, same[1].face));
      }
    }
  }
}

TEST_F(CubeFaces, HasEightCornersOfThreeFaces) {
  constexpr std::int64_t kCells = 256;
  std::set<Vertex> corners;
  for (int face = 0; face < kFaces; ++face) {
    for (const std::int64_t x : {std::int64_t{0}, kCells}) {
      for (const std::int64_t y : {std::int64_t{0}, kCells}) {
        const auto same = SameAs({face, x, y}, kCells);
        ASSERT_EQ(same.size(), 3);
        for (const Vertex& vertex : same) {
          EXPECT_LT(Apart(PointAt(vertex, kCells), PointAt(same[0], kCells)), kExact);
          EXPECT_EQ(OwnerOf(vertex, kCells), OwnerOf(same[0], kCells));
        }
        corners.insert(OwnerOf(same[0], kCells));
      }
    }
  }
  EXPECT_EQ(corners.size(), 8);
}

TEST_F(CubeFaces, ContinuesAFaceWithTheVerticesOfTheNextOne) {
  constexpr std::int64_t kCells = 1024;
  for (int n = 0; n < 2000; ++n) {
    const int face = static_cast<int>(Below(kFaces));
    const Side side = kSides[static_cast<std::size_t>(Below(4))];
    // A way over the edge in single steps stays a way in single steps.
    Vertex here = OnSide(face, side, 1 + Below(kCells - 1), kCells);
    const int quarter = static_cast<int>(side);
    Vector before = PointAt(OwnerOf(here, kCells), kCells);
    for (int step = 1; step < 8; ++step) {
      (quarter % 2 == 0 ? here.x : here.y) += quarter < 2 ? 1 : -1;
      const Vertex there = Continued(here, kCells);
      EXPECT_EQ(there.face, Beyond(face, side).face);
      const Vector now = PointAt(there, kCells);
      EXPECT_LT(Apart(now, before), 2.0 / kCells);
      EXPECT_GT(Apart(now, before), 0.9 / kCells);
      before = now;
    }
  }
}

TEST_F(CubeFaces, LeavesOutTheMissingFaceAtACorner) {
  constexpr std::int64_t kCells = 256;
  for (int face = 0; face < kFaces; ++face) {
    const Vertex corner{face, kCells, 0};
    const Vertex beyond_both = Continued({face, kCells + 5, -3}, kCells);
    // It is on the edge of the two other faces, five cells from the corner.
    EXPECT_EQ(beyond_both, Continued({face, kCells + 5, 0}, kCells));
    EXPECT_EQ(beyond_both, Continued({face, kCells, -5}, kCells));
    const auto same = SameAs(beyond_both, kCells);
    EXPECT_EQ(same.size(), 2);
    for (const Vertex& vertex : same) EXPECT_NE(vertex.face, corner.face);
  }
}

TEST(CubeSphere, FacesAreWhereS2HasThem) {
  // s2coords.h: face 0 is (1, u, v), face 1 (-u, 1, v), ... face 5 (v, u, -1). Our y is -v.
  constexpr double kU = 0.25;
  constexpr double kV = -0.5;
  const Vector expected[kFaces] = {{1, kU, kV},    {-kU, 1, kV},  {-kU, -kV, 1},
                                   {-1, -kV, -kU}, {kV, -1, -kU}, {kV, kU, -1}};
  for (int face = 0; face < kFaces; ++face) {
    const Vector point = PointOf(FacePlace{face, ToLattice(kU), ToLattice(-kV)});
    const double length = std::sqrt(1 + kU * kU + kV * kV);
    const Vector& wanted = expected[face];
    EXPECT_LT(Apart(point, {wanted.x / length, wanted.y / length, wanted.z / length}), kExact)
        << face;
  }
}

TEST(CubeSphere, FindsPlacesAgain) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  for (int n = 0; n < 5000; ++n) {
    Vector point{normal(random), normal(random), normal(random)};
    const double length = std::hypot(point.x, point.y, point.z);
    point = {point.x / length, point.y / length, point.z / length};
    const FacePlace place = PlaceOf(point);
    EXPECT_THAT(place.x, testing::AllOf(testing::Ge(0), testing::Le(1)));
    EXPECT_THAT(place.y, testing::AllOf(testing::Ge(0), testing::Le(1)));
    EXPECT_LT(Apart(PointOf(place), point), kExact);
    EXPECT_LT(Apart(PointOf(LatLongOf(point)), point), kExact);
  }
}

TEST(CubeSphere, PolesAreOnTheSameFacesAsInS2) {
  EXPECT_EQ(PlaceOf(PointOf(LatLong{90, 12})).face, 2);
  EXPECT_EQ(PlaceOf(PointOf(LatLong{-90, 0})).face, 5);
  EXPECT_EQ(PlaceOf(PointOf(LatLong{0, 0})).face, 0);
  EXPECT_EQ(PlaceOf(PointOf(LatLong{0, 90})).face, 1);
  EXPECT_EQ(PlaceOf(PointOf(LatLong{0, 180})).face, 3);
  EXPECT_EQ(PlaceOf(PointOf(LatLong{0, -90})).face, 4);
  // A place near the north-west corner of face 0.
  const FacePlace place = PlaceOf(PointOf(LatLong{30, -30}));
  EXPECT_EQ(place.face, 0);
  EXPECT_LT(place.x, 0.5);
  EXPECT_LT(place.y, 0.5);
}

TEST(CubeSphere, DistortsAreasByAFactorOfTwoAtMost) {
  constexpr int kCells = 64;
  double least = 1e9;
  double most = 0;
  for (int y = 0; y < kCells; ++y) {
    for (int x = 0; x < kCells; ++x) {
      const auto at = [](int column, int row) { return PointAt({0, column, row}, kCells); };
      const Vector here = at(x, y);
      const double area = Length(Cross(at(x + 1, y) - here, at(x, y + 1) - here));
      least = std::min(least, area);
      most = std::max(most, area);
    }
  }
  EXPECT_NEAR(most / least, 2.08, 0.06);
}

}  // namespace
}  // namespace thalweg::sphere
