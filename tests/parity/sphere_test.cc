// A planet has no seams: what a vertex holds depends on the world and on where it is on the sphere, whichever face's
// block it is read from.
#include <algorithm>
#include <array>
#include <map>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "proto/sphere/cube_faces.h"
#include "tests/parity/backends.h"
#include "tests/parity/chain.h"
#include "tests/parity/compare.h"
#include "tests/parity/random_planet.h"

namespace thalweg::parity {
namespace {

using backend::Layer;
using sphere::Vertex;

constexpr int kFaceBlock = 256;
constexpr int kPlanetLevels = 3;
constexpr backend::LayerSet kCompared = {Layer::kSediment, Layer::kUplift,   Layer::kWear,
                                         Layer::kDeposit,  Layer::kWashLoad, Layer::kFraction};

backend::RunOptions EveryLayer() {
  backend::RunOptions options;
  options.layers = kCompared;
  return options;
}

std::int64_t FaceCells(int level) { return std::int64_t{kFaceBlock} << level; }

class SphereTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    backend_ = MakeBackend(GetParam());
    ASSERT_NE(backend_, nullptr);
  }

  // The rows and columns of a block's result, apron included, as its own face has them, and the same vertices as their
  // owners' blocks have them.
  std::string Differences(Chain& chain, const world::BlockShape& shape, const world::BlockKey& key,
                          Layer layer) {
    const int side = shape.ResultSide();
    std::vector<std::int32_t> here(static_cast<std::size_t>(side) * static_cast<std::size_t>(side));
    const world::Surface& surface = world::SphereSurface();
    world::BlockKey of_block = key;
    of_block.face = world::BlockFace(surface, key.level, key.face);
    const absl::Status status =
        backend_->Read(*chain.Block(of_block), layer, {0, 0, side, side}, here,
                       world::WindowOf(surface, key.level, key.face));
    if (!status.ok()) return status.ToString();
    std::vector<Vertex> owners;
    std::map<int, std::pair<Vertex, Vertex>> boxes;
    for (int row = 0; row < side; ++row) {
      for (int column = 0; column < side; ++column) {
        const Vertex place{key.face, key.x * shape.block_cells - shape.apron + column,
                           key.y * shape.block_cells - shape.apron + row};
        const Vertex owner = sphere::Continued(place, FaceCells(key.level));
        owners.push_back(owner);
        auto [box, is_new] = boxes.try_emplace(owner.face, owner, owner);
        auto& [first, last] = box->second;
        first = {owner.face, std::min(first.x, owner.x), std::min(first.y, owner.y)};
        last = {owner.face, std::max(last.x, owner.x), std::max(last.y, owner.y)};
      }
    }
    std::map<int, std::vector<std::int32_t>> values;
    for (const auto& [face, box] : boxes) {
      const auto& [first, last] = box;
      values[face] = chain.Read(key.level,
                                {first.x, first.y, static_cast<int>(last.x - first.x) + 1,
                                 static_cast<int>(last.y - first.y) + 1, face},
                                layer);
    }
    std::vector<std::int32_t> there;
    for (const Vertex& owner : owners) {
      const auto& [first, last] = boxes.at(owner.face);
      const std::int64_t width = last.x - first.x + 1;
      there.push_back(values.at(
          owner.face)[static_cast<std::size_t>((owner.y - first.y) * width + owner.x - first.x)]);
    }
    return Difference(there, here, side);
  }

  std::unique_ptr<backend::Backend> backend_;
};

TEST_P(SphereTest, FacesAgreeOnTheirEdges) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const auto planet = RandomPlanet(random, kPlanetLevels);
    ASSERT_NE(planet, nullptr);
    const auto shapes = world::BlockShapes(planet->programs(), kFaceBlock);
    Chain chain(*backend_, planet->programs(), kFaceBlock, EveryLayer());
    for (int level = 0; level < kPlanetLevels; ++level) {
      const std::int64_t last = (std::int64_t{1} << level) - 1;
      const world::BlockKey key{static_cast<int>(random() % sphere::kFaces), level, last, 0};
      for (const Layer layer : kCompared.List()) {
        EXPECT_EQ(Differences(chain, shapes[static_cast<std::size_t>(level)], key, layer), "")
            << "level " << level << " layer " << static_cast<int>(layer);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, SphereTest, kDevices, NameOfDevice);

}  // namespace
}  // namespace thalweg::parity
