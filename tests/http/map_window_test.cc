#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "server/http/parameters.h"
#include "server/http/target.h"
#include "tests/field/planet_world.h"
#include "tests/field/test_world.h"

namespace thalweg::http {
namespace {

class MapWindowTest : public testing::Test {
 protected:
  absl::StatusOr<MapWindow> Parse(const Parameters::List& list) const {
    return ParseWindow(*Parameters::Parse(list, {"window", "x", "y"}), *world_);
  }
  const std::shared_ptr<const world::World> world_ = field::TestWorld();
  const double tile_m_ = world_->level(0).cell_size_m * wire::kTileCells;
};

TEST_F(MapWindowTest, IsCentredOnTheOrigin) {
  const auto window = Parse({});
  ASSERT_TRUE(window.ok());
  EXPECT_EQ(window->bits, 4);
  EXPECT_EQ(window->west, -8);
  EXPECT_EQ(window->north, -8);
  EXPECT_EQ(Parse({{"window", "0"}})->west, 0);
  const auto moved = Parse({{"window", "1"}, {"x", std::to_string(5 * tile_m_)}});
  EXPECT_EQ(moved->west, 4);
  EXPECT_EQ(moved->north, -1);
}

TEST_F(MapWindowTest, RefusesPlanets) {
  const absl::Status status =
      ParseWindow(*Parameters::Parse({}, {"window"}), *field::PlanetWorld()).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(status.message(),
            "invalid world: expected a plane, of which a web map shows a window, got the planet "
            "'test-planet'");
}

// The children of a tile in the pyramid are its children on the plane.
TEST_F(MapWindowTest, ChildrenInTheWindowAreChildrenOnThePlane) {
  std::mt19937_64 random(9);
  for (int n = 0; n < 2'000; ++n) {
    const MapWindow window{.bits = static_cast<int>(random() % 17),
                           .west = static_cast<std::int64_t>(random() % 1'000'000) - 500'000,
                           .north = static_cast<std::int64_t>(random() % 1'000'000) - 500'000};
    const int level = static_cast<int>(random() % 5);
    const int zoom = window.bits + level;
    const wire::TileKey zoomed{
        .face = 0,
        .level = zoom,
        .x = static_cast<std::int64_t>(random() % (std::uint64_t{1} << zoom)),
        .y = static_cast<std::int64_t>(random() % (std::uint64_t{1} << zoom))};
    const auto parent = TileOf(window, zoomed, 6);
    ASSERT_TRUE(parent.ok()) << parent.status();
    const auto child = TileOf(window, {0, zoom + 1, 2 * zoomed.x + 1, 2 * zoomed.y}, 6);
    ASSERT_TRUE(child.ok());
    EXPECT_EQ(*child, (wire::TileKey{0, level + 1, 2 * parent->x + 1, 2 * parent->y}));
  }
}

TEST_F(MapWindowTest, ColumnsBeginInTheWestAndRowsInTheNorth) {
  const MapWindow window{.bits = 1, .west = 5, .north = -7};
  const auto key = TileOf(window, {0, 2, 1, 3}, 6);
  ASSERT_TRUE(key.ok()) << key.status();
  EXPECT_EQ(*key, (wire::TileKey{0, 1, 11, -11}));
}

TEST_F(MapWindowTest, TilesOutsideTheWindowAreRefused) {
  const MapWindow window{.bits = 2, .west = -2, .north = -2};
  EXPECT_TRUE(TileOf(window, {0, 2, 3, 3}, 6).ok());
  for (const wire::TileKey& outside :
       {wire::TileKey{0, 1, 0, 0}, wire::TileKey{0, 8, 0, 0}, wire::TileKey{0, 2, 4, 0},
        wire::TileKey{0, 2, 0, -1}, wire::TileKey{0, 2, INT64_MAX, INT64_MIN}}) {
    EXPECT_EQ(TileOf(window, outside, 6).status().code(), absl::StatusCode::kOutOfRange);
  }
}

// A window that a document prints is read back as the same window: over the plane's whole width,
// and for cells of 1 to 4,096 m.
TEST_F(MapWindowTest, ReadsBackAsPrinted) {
  constexpr std::int64_t kEdge = wire::kMaxVertex / wire::kTileCells;
  std::mt19937_64 random(17);
  for (int n = 0; n < 200; ++n) {
    const double cells[] = {1, 512, 4'096, std::uniform_real_distribution(1.0, 4'096.0)(random)};
    v1::WorldSpec spec = world_->spec();
    spec.set_cell_size_m(cells[n % 4]);
    const auto world = world::World::Create(spec);
    ASSERT_TRUE(world.ok()) << world.status();
    for (int k = 0; k < 200; ++k) {
      const int bits = k % 17;
      const std::int64_t half = bits == 0 ? 0 : std::int64_t{1} << (bits - 1);
      const std::int64_t last = bits == 0 ? kEdge - 1 : kEdge;
      const auto corner = [&] {
        // Distances of every order of magnitude, and both ends of the plane.
        const auto away = static_cast<std::int64_t>(random() >> (random() % 64));
        const std::int64_t middles[] = {std::clamp(away % (kEdge + 1), -kEdge, last),
                                        std::clamp(-(away % (kEdge + 1)), -kEdge, last), -kEdge,
                                        last, 0};
        return middles[random() % 5] - half;
      };
      const MapWindow window{.bits = bits, .west = corner(), .north = corner()};
      const std::string query = QueryOf(window, **world);
      const auto target = ParseTarget("/?" + query);
      ASSERT_TRUE(target.ok()) << query;
      const auto parameters = Parameters::Parse(target->parameters, {"window", "x", "y"});
      ASSERT_TRUE(parameters.ok()) << query;
      const auto again = ParseWindow(*parameters, **world);
      ASSERT_TRUE(again.ok()) << query << ": " << again.status();
      ASSERT_EQ(again->bits, window.bits) << query;
      ASSERT_EQ(again->west, window.west) << query;
      ASSERT_EQ(again->north, window.north) << query;
    }
  }
}

TEST_F(MapWindowTest, HasItsCentreOnThePlane) {
  const double end_m = static_cast<double>(wire::kMaxVertex) / wire::kTileCells * tile_m_;
  EXPECT_TRUE(Parse({{"x", PrintReal(end_m)}, {"y", PrintReal(-end_m)}}).ok());
  EXPECT_FALSE(Parse({{"x", PrintReal(end_m + tile_m_)}}).ok());
  EXPECT_FALSE(Parse({{"y", PrintReal(-end_m - tile_m_)}}).ok());
  // The last tile ends at end_m.
  EXPECT_TRUE(Parse({{"window", "0"}, {"x", PrintReal(end_m - tile_m_ / 2)}}).ok());
  EXPECT_FALSE(Parse({{"window", "0"}, {"x", PrintReal(end_m)}}).ok());
}

TEST_F(MapWindowTest, TakesOnlyNumbersInRange) {
  for (const Parameters::List& list :
       {Parameters::List{{"window", "-1"}}, Parameters::List{{"window", "17"}},
        Parameters::List{{"window", "x"}}, Parameters::List{{"x", "nan"}},
        Parameters::List{{"x", "99999999999999999999999"}}, Parameters::List{{"x", "1e99"}},
        Parameters::List{{"y", ""}}}) {
    EXPECT_EQ(Parse(list).status().code(), absl::StatusCode::kInvalidArgument);
  }
}

}  // namespace
}  // namespace thalweg::http
