#include "shaders/kernels/continued.glsl"

#include <cstdint>
#include <random>

#include "gtest/gtest.h"
#include "proto/geometry/cube_sphere.h"
#include "tests/proto/geometry/continued.h"

namespace thalweg::kernels {
namespace {

using sphere::Vertex;

FaceVertex OnFace(const Vertex& at) { return {at.face, 0, at.x, at.y}; }
Vertex VertexOf(const FaceVertex& at) { return {at.face, at.x, at.y}; }

TEST(ContinuedTest, SidesAreThoseOfTheCubeSphere) {
  for (int face = 0; face < sphere::kFaces; ++face) {
    for (int side = 0; side < 4; ++side) {
      const sphere::Crossing beyond = sphere::Beyond(face, static_cast<sphere::Side>(side));
      EXPECT_EQ(faceBeyond(face, side), beyond.face) << face << ", side " << side;
      EXPECT_EQ(turnsBeyond(face, side), beyond.turns) << face << ", side " << side;
    }
  }
}

// Vertices near edges and corners, up to `cells` beyond a side, on faces from 4 to 2^40 cells.
class RandomVertices {
 public:
  std::int64_t cells() const { return cells_; }
  Vertex Next() {
    cells_ = std::int64_t{1} << std::uniform_int_distribution(2, 40)(random_);
    return {std::uniform_int_distribution(0, 5)(random_), Coordinate(), Coordinate()};
  }

 private:
  std::int64_t Coordinate() {
    const std::int64_t end = random_() % 2 == 0 ? 0 : cells_;
    const std::int64_t most = random_() % 2 == 0 ? cells_ : 3;
    return end + std::uniform_int_distribution<std::int64_t>(-most, most)(random_) *
                     (random_() % 4 == 0 ? 0 : 1);
  }

  std::mt19937_64 random_{17};
  std::int64_t cells_ = 4;
};

TEST(ContinuedTest, OwnersAndTurnsAreThoseOfTheCubeSphere) {
  RandomVertices vertices;
  for (int n = 0; n < 20'000; ++n) {
    const Vertex at = vertices.Next();
    const std::int64_t cells = vertices.cells();
    if (at.x < -cells || at.x > 2 * cells || at.y < -cells || at.y > 2 * cells) continue;
    const FaceVertex owner = continuedOn(OnFace(at), cells);
    EXPECT_EQ(VertexOf(owner), sphere::Continued(at, cells));
    EXPECT_EQ((owner.turns + sphere::TurnsFromOwner(at, cells)) % 4, 0);
  }
}

TEST(ContinuedTest, TheWayBackOverASideIsTheInverse) {
  RandomVertices vertices;
  for (int n = 0; n < 20'000; ++n) {
    const Vertex at = vertices.Next();
    for (int side = 0; side < 4; ++side) {
      const FaceVertex over = acrossSide(OnFace(at), side, vertices.cells());
      EXPECT_EQ(VertexOf(over),
                sphere::Across(at, static_cast<sphere::Side>(side), vertices.cells()));
      EXPECT_EQ(VertexOf(backAcross(over, at.face, side, vertices.cells())), at);
    }
  }
}

TEST(ContinuedTest, NothingLiesBeyondCorners) {
  EXPECT_TRUE(isBeyondCorner({0, 0, -1, 9}, 8));
  EXPECT_TRUE(isBeyondCorner({0, 0, 9, 12}, 8));
  EXPECT_FALSE(isBeyondCorner({0, 0, 8, 12}, 8));
  EXPECT_FALSE(isBeyondCorner({0, 0, -1, 0}, 8));
}

}  // namespace
}  // namespace thalweg::kernels
