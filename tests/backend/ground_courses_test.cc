// The curves of a planet's rivers are the same from each window that has their sources, whichever
// face it lies on.
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <tuple>
#include <vector>

#include "gtest/gtest.h"
#include "server/backend/native/instruction_set.h"
#include "server/stages/dispatch.h"
#include "tests/proto/geometry/continued.h"

namespace thalweg::backend::native {
namespace {

using sphere::Vertex;

// The planet's last level of rivers has faces of so many sources a side.
constexpr int kBits = 9;
constexpr std::int64_t kSources = std::int64_t{1} << kBits;
// A window of the first level of ground, and the sources around it, which its parent has.
constexpr int kSide = 161;
constexpr int kMargin = kernels::kCourseSearchOnSphere + 1;
constexpr int kParentSide = (kSide - 1) / 2 + 2 + 2 * kMargin;

// What a level of rivers has at a vertex: a random way, which may lead over any edge.
struct Source {
  int river = 0;
  int height = 0;
};
Source SourceAt(const Vertex& owner) {
  const std::int64_t seed = (owner.face * kSources + owner.y) * 2 * kSources + owner.x;
  std::mt19937_64 random(static_cast<std::uint64_t>(seed));
  const auto below = [&](std::uint64_t end) { return static_cast<int>(random() % end); };
  return {kernels::packedRiver(below(9), 300 + below(1000), 0, 0), below(100'000)};
}

// All that the kernel keeps of a source's curve.
using Curve = std::array<std::uint64_t, 8>;
// By the owners of sources: face, column and row.
using Curves = std::map<std::tuple<int, std::int64_t, std::int64_t>, Curve>;

// The curves in a window whose first vertex is a source. turns_ways: whether ways beyond edges have
// this face's directions, as the parent's exchange leaves them.
Curves CurvesOf(const Vertex& first, bool turns_ways = true) {
  constexpr std::size_t kPlane = std::size_t{kParentSide} * kParentSide;
  constexpr std::size_t kVertices = std::size_t{kSide} * kSide;
  const auto source_at = [&](int column, int row) {
    return Vertex{first.face, first.x + column - kMargin, first.y + row - kMargin};
  };
  std::vector<int> parent((kernels::kLayerWay + 1) * kPlane);
  for (int row = 0; row < kParentSide; ++row) {
    for (int column = 0; column < kParentSide; ++column) {
      const Vertex at = source_at(column, row);
      const Source source = SourceAt(sphere::Continued(at, kSources));
      const std::size_t i = static_cast<std::size_t>(row * kParentSide + column);
      const int turns = turns_ways ? sphere::TurnsFromOwner(at, kSources) : 0;
      parent[i] = source.height;
      parent[kernels::kLayerWay * kPlane + i] = kernels::turnedRiver(source.river, turns);
    }
  }
  std::vector<int> layers(kernels::kLayerPlanes * kVertices);
  std::vector<std::uint64_t> movers(2 * kVertices);
  std::vector<int> rate(kVertices);
  std::vector<std::uint32_t> discharge(kVertices);
  kernels::Job job{};
  job.x_low = static_cast<std::uint32_t>(2 * first.x);
  job.y_low = static_cast<std::uint32_t>(2 * first.y);
  job.x_high = static_cast<std::uint32_t>(2 * first.x >> 32);
  job.y_high = static_cast<std::uint32_t>(2 * first.y >> 32);
  job.parent_x = kMargin;
  job.parent_y = kMargin;
  job.face = first.face;
  job.face_bits = kBits + 1;
  kernels::Buffers buffers{};
  buffers.jobs = &job;
  buffers.parent = parent.data();
  buffers.layers = layers.data();
  buffers.movers = movers.data();
  buffers.rate = rate.data();
  buffers.discharge = discharge.data();
  kernels::CourseParams params{};
  params.parent_side = kParentSide;
  params.parent_size = static_cast<int>(parent.size());
  params.depth = 1;
  params.sources = kParentSide;
  params.stream = 77;
  params.turn = kernels::packedSpaceTurn(4, 2, 2, 1);
  params.displacement = kernels::packedPair16(0.0F, 0.9F);
  params.from_area = 1;
  kernels::Pass pass{};
  pass.width = kParentSide;
  pass.stride = kSide;
  pass.plane = static_cast<int>(kVertices);
  const auto here = Choose(InstructionSets(), "");
  EXPECT_TRUE(here.ok()) << here.status();
  if (!here.ok()) return {};
  const KernelRows& kernel =
      *here->kernels->at(static_cast<std::size_t>(stages::Kernel::kGroundCourses));
  kernel.on_sphere({buffers, pass, reinterpret_cast<const std::byte*>(&params)}, 0, 0, kParentSide);

  Curves curves;
  for (int row = kMargin; row < kParentSide - kMargin; ++row) {
    for (int column = kMargin; column < kParentSide - kMargin; ++column) {
      const std::size_t i = static_cast<std::size_t>(row * kParentSide + column);
      const std::size_t second = i + kPlane;
      const Curve curve = {movers[i],
                           movers[kVertices + i],
                           movers[second],
                           movers[kVertices + second],
                           static_cast<std::uint32_t>(rate[i]),
                           static_cast<std::uint32_t>(rate[second]),
                           discharge[i],
                           discharge[second]};
      const bool has_river = curve[1] >> 32 != 0;
      const Vertex owner = sphere::Continued(source_at(column, row), kSources);
      if (has_river) curves[{owner.face, owner.x, owner.y}] = curve;
    }
  }
  return curves;
}

// The window of a face with a corner in its middle.
Vertex Around(const Vertex& corner) {
  return {corner.face, corner.x - kSide / 4, corner.y - kSide / 4};
}

// Sources that two windows have, and those of them with curves that differ.
struct Comparison {
  int shared = 0;
  int different = 0;
};
Comparison Compare(const Curves& a, const Curves& b) {
  Comparison comparison;
  for (const auto& [source, curve] : a) {
    const auto other = b.find(source);
    if (other == b.end()) continue;
    ++comparison.shared;
    if (other->second != curve) ++comparison.different;
  }
  return comparison;
}

TEST(GroundCoursesTest, WindowsOfAllFacesHaveTheSameCurvesAroundACorner) {
  for (int face = 0; face < sphere::kFaces; ++face) {
    for (const Vertex& corner : {Vertex{face, 0, 0}, Vertex{face, 0, kSources},
                                 Vertex{face, kSources, 0}, Vertex{face, kSources, kSources}}) {
      const Curves here = CurvesOf(Around(corner));
      for (const Vertex& same : sphere::SameAs(corner, kSources)) {
        if (same == corner) continue;
        const Comparison comparison = Compare(here, CurvesOf(Around(same)));
        // Three quarters of a square of 80 sources a side, of which one in nine ends there.
        EXPECT_GT(comparison.shared, 3000) << face << " and " << same.face;
        EXPECT_EQ(comparison.different, 0) << face << " and " << same.face;
      }
    }
  }
}

// The twin: they differ if ways beyond edges are not turned.
TEST(GroundCoursesTest, CurvesDifferIfWaysAreNotTurned) {
  const Vertex corner{0, 0, 0};
  const Vertex same = sphere::SameAs(corner, kSources).back();
  const Comparison comparison =
      Compare(CurvesOf(Around(corner), false), CurvesOf(Around(same), false));
  EXPECT_GT(comparison.different, 300);
}

}  // namespace
}  // namespace thalweg::backend::native
