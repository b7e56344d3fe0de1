// Rivers on a planet's ground run over the edges and corners of faces.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <numbers>
#include <vector>

#include "gtest/gtest.h"
#include "server/world/world.h"
#include "tests/parity/backends.h"
#include "tests/parity/chain.h"
#include "tests/parity/compare.h"
#include "tests/parity/faces.h"
#include "tests/parity/river_walk.h"
#include "tests/size.h"

namespace thalweg::parity {
namespace {

using backend::Layer;

// The last level of rivers, and the levels of ground below it, with cells of 8 to 1 m.
constexpr int kLastOfRivers = 2;
constexpr int kRiverLevels = kLastOfRivers + 1 + 4;

std::shared_ptr<const world::World> RiverPlanet(std::uint64_t seed) {
  v1::WorldSpec spec = SpecOfRivers(seed, kLastOfRivers, kRiverLevels);
  const double cell_m = kRiversCellM * (1 << kLastOfRivers);
  spec.mutable_sphere()->set_radius_m(kFaceBlock * cell_m * 2 / std::numbers::pi);
  auto created = world::World::Create(spec);
  EXPECT_TRUE(created.ok()) << created.status();
  return created.ok() ? *created : nullptr;
}

// A square of a level around a place of a face, in parts of its side.
struct FacePart {
  int face;
  double x;
  double y;

  Vertices Square(int level, int side) const {
    const auto cells = static_cast<double>(FaceCells(level));
    return {static_cast<std::int64_t>(x * cells) - side / 2,
            static_cast<std::int64_t>(y * cells) - side / 2, side + 1, side + 1, face};
  }
};

// Edges with every number of turns between faces, and corners of all kinds; the first ones in a
// short run.
std::vector<FacePart> Edges() {
  std::vector<FacePart> edges = {{0, 1, 0.3}, {3, 0.62, 0}, {2, 0, 0.55},
                                 {1, 0.4, 1}, {4, 1, 0.2},  {5, 0.25, 1}};
  edges.resize(FewOrAll<std::size_t>(3, 6));
  return edges;
}
std::vector<FacePart> Corners() {
  std::vector<FacePart> corners = {{1, 0, 1}, {4, 1, 1}, {0, 1, 1},
                                   {2, 1, 0}, {3, 0, 0}, {5, 0, 0}};
  corners.resize(FewOrAll<std::size_t>(2, 6));
  return corners;
}

class SphereRiversTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    backend_ = BackendOf(GetParam());
    ASSERT_NE(backend_, nullptr);
  }

  backend::Backend* backend_ = nullptr;
};

// The block of a level at a part of a face.
world::BlockKey BlockAt(const FacePart& part, int level) {
  const std::int64_t blocks = std::int64_t{1} << level;
  const auto at = [&](double along) {
    return std::min(static_cast<std::int64_t>(along * static_cast<double>(blocks)), blocks - 1);
  };
  return {part.face, level, at(part.x), at(part.y)};
}

// What a block knows beyond the edges of its face is what the other faces' blocks have there.
void ExpectFacesAgree(backend::Backend& backend, const world::World& planet, int last_of_rivers,
                      const std::vector<int>& levels, const std::vector<FacePart>& parts) {
  Chain chain(backend, planet.programs(), kFaceBlock);
  const auto shapes = world::BlockShapes(planet.programs(), kFaceBlock);
  int rivers = 0;
  for (const int level : levels) {
    for (const FacePart& part : parts) {
      SCOPED_TRACE(testing::Message() << "level " << level << ", face " << part.face << " at "
                                      << part.x << ", " << part.y);
      for (const Layer layer : {Layer::kHeight, Layer::kFlow, Layer::kSediment}) {
        EXPECT_EQ(FaceDifferences(backend, chain, shapes[static_cast<std::size_t>(level)],
                                  BlockAt(part, level), layer),
                  "")
            << "layer " << static_cast<int>(layer);
      }
      const Vertices near = part.Square(level, 64);
      const RiverGround ground = ReadRivers(near, level - last_of_rivers, [&](Layer layer) {
        return ReadContinued(chain, level, near, layer);
      });
      for (const std::int32_t flow : ground.flow) rivers += flow > ground.least_flow ? 1 : 0;
    }
  }
  EXPECT_GT(rivers, 0) << "no river is near an edge: the test would see no fault";
}

TEST_P(SphereRiversTest, FacesAgree) {
  std::vector<FacePart> parts = Corners();
  for (const FacePart& edge : Edges()) parts.push_back(edge);
  for (std::uint64_t seed = 1; seed <= FewOrAll(1U, 4U); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const auto planet = RiverPlanet(seed);
    ASSERT_NE(planet, nullptr);
    ExpectFacesAgree(*backend_, *planet, kLastOfRivers,
                     FewOrAll<std::vector<int>>({3, 6}, {3, 4, 5, 6}), parts);
  }
}

// The same on a planet as large as the Earth, with cells of 9.5 to 0.3 m.
TEST_P(SphereRiversTest, FacesOfAnEarthAgree) {
  constexpr int kLast = 11;
  v1::WorldSpec spec = SpecOfRivers(3, kLast, kLast + 7);
  spec.mutable_sphere()->set_radius_m(6.371e6);
  // With such large cells, mountains would be too high.
  spec.mutable_rules(0)->mutable_stages(0)->mutable_rivers()->set_steepness(2);
  spec.mutable_base()->mutable_fbm()->set_wavelength_m(4e6);
  const auto planet = world::World::Create(spec);
  ASSERT_TRUE(planet.ok()) << planet.status();
  std::vector<FacePart> parts = {Corners().front(), Edges().front()};
  if (IsExhaustive()) parts.push_back({2, 0.4, 0.55});
  ExpectFacesAgree(*backend_, **planet, kLast,
                   FewOrAll<std::vector<int>>({12, 17}, {12, 13, 14, 15, 16, 17}), parts);
}

// Every backend runs them over a corner.
TEST(SphereRiversBackendsTest, Agree) {
  const auto planet = RiverPlanet(2);
  ASSERT_NE(planet, nullptr);
  backend::Backend* const native = BackendOf("native");
  ASSERT_NE(native, nullptr);
  Chain by_native(*native, planet->programs(), kFaceBlock);
  std::vector<const char*> others = {"vulkan"};
  if (IsExhaustive()) others.push_back("reference");
  for (const char* const device : others) {
    backend::Backend* const other = BackendOf(device);
    ASSERT_NE(other, nullptr);
    Chain by_other(*other, planet->programs(), kFaceBlock);
    for (int level = kLastOfRivers + 1; level < kRiverLevels; ++level) {
      const Vertices corner{0, 0, 250, 250, 2};
      for (const Layer layer : {Layer::kHeight, Layer::kFlow, Layer::kSediment}) {
        EXPECT_EQ(Difference(by_native.Read(level, corner, layer),
                             by_other.Read(level, corner, layer), corner.width),
                  "")
            << device << ", level " << level << ", layer " << static_cast<int>(layer);
      }
    }
  }
}

// A river of the coarsest level of ground that runs over an edge is there at every finer one, and
// falls all along its way.
TEST_P(SphereRiversTest, RiversRunOverEdges) {
  int followed = 0;
  const int wanted = FewOrAll(40, 200);
  constexpr int kWalked = 100;
  for (std::uint64_t seed = 1; seed <= 8 && followed < wanted; ++seed) {
    const auto planet = RiverPlanet(seed);
    ASSERT_NE(planet, nullptr);
    Chain chain(*backend_, planet->programs(), kFaceBlock);
    for (const FacePart& edge : Edges()) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << ", face " << edge.face);
      const auto read = [&](int level, int side) {
        const Vertices at = edge.Square(level, side);
        return ReadRivers(at, level - kLastOfRivers,
                          [&](Layer layer) { return ReadContinued(chain, level, at, layer); });
      };
      const RiverGround coarse = read(kLastOfRivers + 1, kWalked);
      for (int level = kLastOfRivers + 2; level < kRiverLevels; level += FewOrAll(2, 1)) {
        const int scale = 1 << (level - kLastOfRivers - 1);
        const Walked walked = WalkRivers(coarse, read(level, kWalked * scale), scale);
        EXPECT_EQ(walked.lost, "") << "level " << level;
        followed += walked.rivers;
      }
    }
  }
  EXPECT_GE(followed, wanted);
}

INSTANTIATE_TEST_SUITE_P(Devices, SphereRiversTest, kDevicesOfLaws, NameOfDevice);

}  // namespace
}  // namespace thalweg::parity
