#include "server/bake/local_baker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <future>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/bake/planet_area.h"
#include "proto/geometry/sample_point.h"
#include "server/cache/tile_cache.h"
#include "tests/field/fake_backend.h"
#include "tests/field/planet_world.h"
#include "tests/field/test_world.h"

namespace thalweg::bake {
namespace {

namespace fs = std::filesystem;

constexpr int kLevel = 3;

class LocalBakerTest : public testing::Test {
 protected:
  LocalBakerTest() {
    std::string name = (fs::temp_directory_path() / "thalweg-local-bake-XXXXXX").string();
    folder_ = mkdtemp(name.data());
    tiles_ = std::make_unique<tile::TileService>(tile::TileService::Parts{
        .field =
            std::make_unique<field::Field>(field::MakeFakeBackend(device_), field::FieldOptions{}),
        .cache = &cache_});
  }
  ~LocalBakerTest() override { fs::remove_all(folder_); }

  LocalBake BakeOf(const Area& area) const {
    LocalBake bake;
    bake.world = world_->UpTo(kLevel);
    bake.area = area;
    bake.layers.Add(v1::LAYER_FLOW);
    bake.parts = PartsOf(area);
    return bake;
  }
  PartStore StoreOf(const Area& area) const {
    return PartStore::Open(folder_.string(),
                           {world_->hex_id(), 5, area, {v1::LAYER_HEIGHT, v1::LAYER_FLOW}})
        .value();
  }
  // How many values in the store's parts differ from the terrain. -1: a part can't be read.
  std::int64_t WrongValues(const LocalBake& bake, const PartStore& store) const {
    std::int64_t wrong = 0;
    for (const Part& part : bake.parts) {
      const auto values = store.Read(part);
      EXPECT_TRUE(values.ok()) << values.status();
      if (!values.ok()) return -1;
      const backend::Layer layers[] = {backend::Layer::kHeight, backend::Layer::kFlow};
      for (std::size_t plane = 0; plane < 2; ++plane) {
        std::size_t i = 0;
        for (std::int64_t y = 0; y < values->area.height; ++y) {
          for (std::int64_t x = 0; x < values->area.width; ++x, ++i) {
            const std::int32_t expected =
                field::FakeValue(world_->level(kLevel).seed_low, kLevel, layers[plane],
                                 values->area.x0 + x, values->area.y0 + y);
            wrong += values->planes[plane].values[i] == expected ? 0 : 1;
          }
        }
      }
    }
    return wrong;
  }

  std::shared_ptr<field::FakeDevice> device_ = std::make_shared<field::FakeDevice>();
  std::shared_ptr<const world::World> world_ = field::TestWorld();
  cache::TileCache cache_{0};
  std::unique_ptr<tile::TileService> tiles_;
  fs::path folder_;
};

TEST_F(LocalBakerTest, PartsHaveEveryVertexOfTheArea) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 6; ++i) {
    const auto side = [&] { return 1 + static_cast<std::int64_t>(random() % 1500); };
    const auto place = [&] { return static_cast<std::int64_t>(random() % 9000) - 4500; };
    const Area area{kLevel, place(), place(), side(), side()};
    const LocalBake bake = BakeOf(area);
    const PartStore store = StoreOf(area);
    ASSERT_TRUE(BakeLocally(*tiles_, bake, store).ok());
    EXPECT_EQ(WrongValues(bake, store), 0) << area.x0 << ", " << area.y0;
    ASSERT_TRUE(store.Remove(bake.parts).ok());
  }
}

// The twin: WrongValues notices a part with one wrong value.
TEST_F(LocalBakerTest, AWrongVertexIsCounted) {
  const Area area{kLevel, -100, 50, 300, 300};
  const LocalBake bake = BakeOf(area);
  const PartStore store = StoreOf(area);
  ASSERT_TRUE(BakeLocally(*tiles_, bake, store).ok());
  PartValues values = store.Read(bake.parts[0]).value();
  values.planes[1].values[77] += 1;
  ASSERT_TRUE(store.Write(bake.parts[0], values).ok());
  EXPECT_EQ(WrongValues(bake, store), 1);
}

TEST_F(LocalBakerTest, ResumesWhereItStopped) {
  const Area area{kLevel, 0, 0, 3000, 1000};
  LocalBake bake = BakeOf(area);
  const PartStore store = StoreOf(area);
  ASSERT_EQ(bake.parts.size(), 3U);
  LocalBake first = bake;
  first.parts.resize(2);
  ASSERT_TRUE(BakeLocally(*tiles_, first, store).ok());
  const std::size_t runs = device_->runs().size();
  std::vector<std::pair<std::size_t, std::int64_t>> told;
  bake.progress = [&](std::size_t done, std::int64_t vertices) {
    told.emplace_back(done, vertices);
  };
  ASSERT_TRUE(BakeLocally(*tiles_, bake, store).ok());
  EXPECT_GT(device_->runs().size(), runs);
  EXPECT_EQ(WrongValues(bake, store), 0);
  ASSERT_EQ(told.size(), 3U);
  EXPECT_EQ(told.back(), (std::pair<std::size_t, std::int64_t>(3, 952 * 1000)));
  // All parts exist now, so a third bake computes nothing.
  const std::size_t all = device_->runs().size();
  ASSERT_TRUE(BakeLocally(*tiles_, bake, store).ok());
  EXPECT_EQ(device_->runs().size(), all);
}

TEST_F(LocalBakerTest, TheFirstErrorEndsIt) {
  const Area area{kLevel, 0, 0, 5000, 3000};
  const LocalBake bake = BakeOf(area);
  const PartStore store = StoreOf(area);
  device_->FailOnce([](const field::FakeRun& run) { return run.level == kLevel; },
                    absl::InternalError("no such luck"));
  const absl::Status status = BakeLocally(*tiles_, bake, store);
  EXPECT_EQ(status.code(), absl::StatusCode::kInternal) << status;
  // The same call again finishes the bake.
  EXPECT_TRUE(BakeLocally(*tiles_, bake, store).ok());
  EXPECT_EQ(WrongValues(bake, store), 0);
}

// Parts of planets equal the tiles: on a face up to its last vertices, and as pixels of a region.
class LocalPlanetBakerTest : public LocalBakerTest {
 protected:
  LocalPlanetBakerTest() { world_ = field::PlanetWorld(kPlanetLevel + 1); }

  std::vector<std::int32_t> HeightsOf(const wire::TileKey& key) const {
    tile::TileQuery query{.world = world_,
                          .key = key,
                          .layers = {},
                          .precision = v1::PRECISION_EXACT,
                          .wants_values = true};
    std::promise<absl::StatusOr<tile::TileContents>> promise;
    tiles_->Get(std::make_shared<tile::TileWaiter>(), query,
                [&promise](absl::StatusOr<tile::TileContents> contents) {
                  promise.set_value(std::move(contents));
                });
    const absl::StatusOr<tile::TileContents> contents = promise.get_future().get();
    EXPECT_TRUE(contents.ok()) << contents.status();
    if (!contents.ok()) return {};
    return contents->Planes(query).value().front();
  }
  std::vector<PartValues> Baked(const Area& area) const {
    LocalBake bake{.world = world_, .area = area, .layers = {}, .parts = PartsOf(area)};
    const PartStore store =
        PartStore::Open(folder_.string(), {world_->hex_id(), 5, area, {v1::LAYER_HEIGHT}}).value();
    const absl::Status status = BakeLocally(*tiles_, bake, store);
    EXPECT_TRUE(status.ok()) << status;
    std::vector<PartValues> parts;
    for (const Part& part : bake.parts) parts.push_back(store.Read(part).value());
    EXPECT_TRUE(store.Remove(bake.parts).ok());
    return parts;
  }

  static constexpr int kPlanetLevel = 1;
};

TEST_F(LocalPlanetBakerTest, FacesIncludeTheirLastVertices) {
  for (const Area& area : {Area{kPlanetLevel, 250, 0, 263, 513, GridKind::kVertices, 4},
                           Area{kPlanetLevel, 512, 512, 1, 1, GridKind::kVertices, 2}}) {
    for (const PartValues& part : Baked(area)) {
      std::size_t n = 0;
      for (std::int64_t y = part.area.y0; y < part.area.y0 + part.area.height; ++y) {
        for (std::int64_t x = part.area.x0; x < part.area.x0 + part.area.width; ++x, ++n) {
          const wire::TileKey key{area.face, kPlanetLevel, std::min<std::int64_t>(x / 256, 1),
                                  std::min<std::int64_t>(y / 256, 1)};
          // Compares only every 64th row and column. The face's last ones are among them.
          if ((x % 64 != 0 || y % 64 != 0) && x != 512) continue;
          if (x == 512 && y % 64 != 0) continue;
          ASSERT_EQ(
              part.planes[0].values[n],
              HeightsOf(key)[static_cast<std::size_t>((y - key.y * 256) * 257 + x - key.x * 256)])
              << x << ", " << y;
        }
      }
    }
  }
}

TEST_F(LocalPlanetBakerTest, PixelsAreSampledFromTheirTiles) {
  const Area area = *AreaOfRegion(kPlanetLevel, {170, 60, -170, 90});
  const auto parts = Baked(area);
  ASSERT_EQ(parts.size(), 2U);
  for (const PartValues& part : parts) {
    const auto points = PointsOf(part.area);
    const sampling::PointSet set(points, kPlanetLevel);
    std::vector<std::int32_t> expected(points.size());
    for (std::size_t n = 0; n < set.tiles().size(); ++n) {
      set.Sample(n, HeightsOf(set.tiles()[n]), sampling::Rule::kBilinear, expected);
    }
    EXPECT_TRUE(part.planes[0].values == expected);
    // The twin: the values of the nearest vertices differ.
    std::vector<std::int32_t> others(points.size());
    for (std::size_t n = 0; n < set.tiles().size(); ++n) {
      set.Sample(n, HeightsOf(set.tiles()[n]), sampling::Rule::kNearest, others);
    }
    EXPECT_FALSE(part.planes[0].values == others);
  }
}

}  // namespace
}  // namespace thalweg::bake
