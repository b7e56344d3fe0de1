// Pictures of ground with known slopes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <set>

#include "client/tools/picture/label.h"
#include "client/tools/picture/relief.h"

namespace thalweg::picture {
namespace {

constexpr int kSide = 48;
constexpr double kCellM = 8;

// A square of ground. Its height is a function of metres to the east and the south.
class Ground {
 public:
  explicit Ground(const std::function<double(double east_m, double south_m)>& height_m,
                  int side = kSide, double cell_size_m = kCellM)
      : side_(side), cell_size_m_(cell_size_m) {
    for (int y = 0; y < side; ++y) {
      for (int x = 0; x < side; ++x) {
        q16_.push_back(static_cast<std::int32_t>(
            std::lround(height_m(x * cell_size_m, y * cell_size_m) * 65536)));
      }
    }
  }
  HeightGrid grid() const { return {q16_, side_, side_, cell_size_m_}; }

 private:
  int side_;
  double cell_size_m_;
  std::vector<std::int32_t> q16_;
};

float Brightness(const Image& image, int x, int y) {
  const Color color = image.Get(x, y);
  return (color.r + color.g + color.b) / 3;
}

// The brightness of a picture's middle. The ground is a plane with this slope, 500 m high there.
float PlaneBrightness(double rise_east, double rise_south) {
  const int at = kSide / 2;
  const double middle = at * kCellM;
  const Ground ground([&](double east, double south) {
    return 500 + rise_east * (east - middle) + rise_south * (south - middle);
  });
  return Brightness(RenderRelief(ground.grid(), {}), at, at);
}

TEST(SlopeTest, OfAPlaneIsTheSameEverywhere) {
  const Ground ground([](double east, double south) { return 0.25 * east - 0.5 * south + 100; });
  for (const auto& [x, y] : {std::pair(0, 0), std::pair(kSide - 1, 0), std::pair(0, kSide - 1),
                             std::pair(7, 9), std::pair(kSide - 1, kSide - 1)}) {
    const Slope slope = SlopeAt(ground.grid(), x, y);
    EXPECT_FLOAT_EQ(slope.east, 0.25F) << x << ", " << y;
    EXPECT_FLOAT_EQ(slope.south, -0.5F) << x << ", " << y;
  }
}

TEST(SlopeTest, IsExactBetweenExtremeHeights) {
  const std::vector<std::int32_t> q16 = {INT32_MIN, INT32_MAX, INT32_MIN, INT32_MAX};
  const Slope slope = SlopeAt({q16, 2, 2, 1}, 0, 0);
  EXPECT_FLOAT_EQ(slope.east, 65536.0F);
  EXPECT_FLOAT_EQ(slope.south, 0.0F);
}

TEST(SlopeTest, IsFlatForASingleVertex) {
  const std::vector<std::int32_t> q16 = {5};
  EXPECT_EQ(Steepness(SlopeAt({q16, 1, 1, 1}, 0, 0)), 0);
}

TEST(LightTest, ComesFromTheNorthWest) {
  // Ground that faces north-west rises to the south-east.
  const float north_west = Illumination({0.4F, 0.4F});
  const float south_east = Illumination({-0.4F, -0.4F});
  EXPECT_GT(north_west, FlatIllumination());
  EXPECT_LT(south_east, FlatIllumination());
  const float north_east = Illumination({-0.4F, 0.4F});
  const float south_west = Illumination({0.4F, -0.4F});
  for (const float across : {north_east, south_west}) {
    EXPECT_LT(across, north_west);
    EXPECT_GT(across, south_east);
  }
}

TEST(LightTest, IsBetweenZeroAndOne) {
  for (int east = -40; east <= 40; ++east) {
    for (int south = -40; south <= 40; ++south) {
      const float light =
          Illumination({static_cast<float>(east) * 0.25F, static_cast<float>(south) * 0.25F});
      ASSERT_GE(light, 0.0F);
      ASSERT_LE(light, 1.0F);
    }
  }
}

// The sum of Mark's weights is one for any direction, so gentle ground is as bright as flat ground.
TEST(LightTest, IsContinuousNearFlatGround) {
  for (const Slope slope : {Slope{1e-5F, 0}, Slope{0, -1e-5F}, Slope{-1e-5F, 1e-5F}}) {
    EXPECT_NEAR(Illumination(slope), FlatIllumination(), 1e-4);
  }
}

TEST(ExaggerationTest, GrowsWithTheCellSizeAndKeepsOrder) {
  EXPECT_EQ(Exaggeration(0.25), 1.0F);
  EXPECT_LT(Exaggeration(16), Exaggeration(256));
  EXPECT_LE(Exaggeration(1e6), 4.0F);
  float last = 0;
  for (int i = 1; i < 200; ++i) {
    const float bent = Steepness(Exaggerate({static_cast<float>(i) * 0.1F, 0}, 2));
    EXPECT_GT(bent, last);
    last = bent;
  }
  EXPECT_LT(last, 2.5F);
  EXPECT_NEAR(Steepness(Exaggerate({0.01F, 0}, 2)), 0.02F, 1e-5);
}

TEST(ReliefTest, FlatGroundIsUniform) {
  const Image image = RenderRelief(Ground([](double, double) { return 321; }).grid(), {});
  for (int y = 0; y < kSide; ++y) {
    for (int x = 0; x < kSide; ++x) {
      ASSERT_EQ(image.rgb[image.Offset(x, y)], image.rgb[0]) << x << ", " << y;
    }
  }
}

// The twin: if one vertex is 4 m higher, the picture shows it.
TEST(ReliefTest, ABumpIsVisible) {
  const Ground ground([](double east, double south) {
    return 321 + (east == 24 * kCellM && south == 24 * kCellM ? 4 : 0);
  });
  const Image image = RenderRelief(ground.grid(), {});
  EXPECT_GT(Brightness(image, 23, 23), Brightness(image, 25, 25) + 0.03F);
}

TEST(ReliefTest, SlopesTowardsTheLightAreBrighter) {
  const float flat = PlaneBrightness(0, 0);
  EXPECT_GT(PlaneBrightness(0.4, 0.4), flat);
  EXPECT_LT(PlaneBrightness(-0.4, -0.4), flat);
  EXPECT_GT(PlaneBrightness(0, 0.5), PlaneBrightness(0, -0.5));
  EXPECT_GT(PlaneBrightness(0.5, 0), PlaneBrightness(-0.5, 0));
}

TEST(ReliefTest, SeaIsBlueAndDeeperSeaDarker) {
  const Ground ground([](double east, double) { return -east * 10 + 100; });
  const Image image = RenderRelief(ground.grid(), {.sea_level_m = 0});
  const Color land = image.Get(0, 20);
  const Color deep = image.Get(kSide - 4, 20);
  EXPECT_GT(land.g, land.b);
  EXPECT_GT(deep.b, deep.r + 0.1F);
  EXPECT_LT(SeaTint(4000).g, SeaTint(100).g);
}

TEST(ReliefTest, LakesAreBlueAtAnyHeight) {
  const Ground ground([](double east, double) { return 800 + east / 20; });
  std::vector<std::int32_t> depth(kSide * kSide, 0);
  depth[10 * kSide + 10] = 20 * 65536;
  const Image image = RenderRelief(ground.grid(), {.water_depth = depth});
  EXPECT_GT(image.Get(10, 10).b, image.Get(10, 10).r + 0.1F);
  EXPECT_EQ(image.Get(20, 10).b, RenderRelief(ground.grid(), {}).Get(20, 10).b);
}

// If depths are known, the sea level does not count: ground below it may be dry.
TEST(ReliefTest, WaterDepthOverridesTheSeaLevel) {
  const Ground ground([](double, double) { return -50; });
  const std::vector<std::int32_t> dry(kSide * kSide, 0);
  const Color basin = RenderRelief(ground.grid(), {.sea_level_m = 0, .water_depth = dry}).Get(9, 9);
  EXPECT_GT(basin.g, basin.b);
}

TEST(LayerPictureTest, LeavesDryGroundBare) {
  const Ground ground([](double east, double) { return 300 + east; });
  std::vector<std::int32_t> level(ground.grid().q16.begin(), ground.grid().q16.end());
  for (int y = 0; y < kSide; ++y) {
    for (int x = 0; x < 10; ++x)
      level[static_cast<std::size_t>(std::int64_t{y} * kSide + x)] = 400 * 65536;
  }
  const Image image = RenderLayer(ground.grid(), {.layer = Layer::kWaterLevel, .values = level});
  EXPECT_GT(image.Get(5, 9).b, image.Get(5, 9).r + 0.1F);
  EXPECT_NEAR(image.Get(30, 9).b, image.Get(30, 9).r, 0.05F);
}

TEST(LayerPictureTest, LeavesUnknownDirectionsBare) {
  const Ground ground([](double, double) { return 300; });
  const std::vector<std::int32_t> east(kSide * kSide, 0);
  std::vector<std::int32_t> distance(kSide * kSide, 512);
  distance[5] = -65'535;
  const Image image = RenderLayer(
      ground.grid(), {.layer = Layer::kShoreDirection, .values = east, .shore_distance = distance});
  EXPECT_GT(image.Get(9, 0).r, image.Get(9, 0).g + 0.2F);
  EXPECT_NEAR(image.Get(5, 0).r, image.Get(5, 0).g, 0.05F);
}

TEST(ReliefTest, RiversAreBlueWhereTheFlowIsLarge) {
  const Ground ground([](double, double) { return 100; });
  std::vector<std::int32_t> flow(kSide * kSide, 256);
  flow[10 * kSide + 10] = 256 << 12;
  const Image image = RenderRelief(ground.grid(), {.sea_level_m = std::nullopt, .flow = flow});
  EXPECT_GT(image.Get(10, 10).b, image.Get(10, 10).r + 0.1F);
  EXPECT_GT(image.Get(20, 10).g, image.Get(20, 10).b);
}

Ground RandomGround(std::uint64_t seed, int side) {
  std::mt19937_64 random(seed);
  return Ground([&](double, double) { return static_cast<double>(random() % 5000) / 10; }, side);
}

TEST(ReliefTest, DoesNotDependOnThreads) {
  const Ground ground = RandomGround(11, 300);
  const Image one = RenderRelief(ground.grid(), {.flow = {}, .threads = 1});
  const Image three = RenderRelief(ground.grid(), {.flow = {}, .threads = 3});
  EXPECT_EQ(one.rgb, three.rgb);
}

TEST(ReliefTest, TakesAnyShape) {
  for (const auto& [width, height] : {std::pair(1, 1), std::pair(1, 200), std::pair(200, 1)}) {
    const std::vector<std::int32_t> q16(static_cast<std::size_t>(width * height), 65536);
    const Image image = RenderRelief({q16, width, height, 1}, {});
    EXPECT_EQ(image.rgb.size(), q16.size() * 3);
  }
}

TEST(ValleyTest, MeasuresConcavity) {
  const int at = kSide / 2;
  const double middle = at * kCellM;
  const Ground valley([&](double east, double) { return std::abs(east - middle) * 0.5; });
  const Ground ridge([&](double east, double) { return std::abs(east - middle) * -0.5; });
  const Ground plane([](double east, double south) { return 0.5 * east + 0.25 * south; });
  EXPECT_GT(ValleyDepth(valley.grid(), at, 1, 4)[at], 0.2F);
  EXPECT_LT(ValleyDepth(ridge.grid(), at, 1, 4)[at], -0.2F);
  EXPECT_NEAR(ValleyDepth(plane.grid(), at, 1, 4)[at], 0, 1e-5);
}

TEST(ValleyTest, EqualsThePlainSums) {
  const Ground ground = RandomGround(5, 20);
  const HeightGrid grid = ground.grid();
  constexpr int kRadius = 2;
  const auto height = [&](int x, int y) {
    const std::int64_t row = std::clamp(y, 0, 19);
    return static_cast<double>(grid.q16[static_cast<std::size_t>(row * 20 + std::clamp(x, 0, 19))]);
  };
  // Rows of the border continue along columns. The border's sums continue along rows.
  const auto mean = [&](int x, int y) {
    double sum = 0;
    for (int v = -kRadius; v <= kRadius; ++v) {
      for (int u = -kRadius; u <= kRadius; ++u) sum += height(std::clamp(x + u, 0, 19), y + v);
    }
    return sum / 25;
  };
  const std::vector<float> depth = ValleyDepth(grid, 6, 3, kRadius);
  ASSERT_EQ(depth.size(), 60U);
  double smooth = 0;
  for (int v = -kRadius; v <= kRadius; ++v) {
    for (int u = -kRadius; u <= kRadius; ++u) smooth += mean(10 + u, 7 + v) / 25;
  }
  EXPECT_NEAR(depth[30], (smooth - height(10, 7)) / 65536 / kCellM / kRadius, 1e-4);
}

TEST(RampTest, RisesWithHeightAndHardlyDependsOnThePicture) {
  const HeightScale low{.min_m = 0, .max_m = 2000, .sea_level_m = 0};
  const HeightScale high{.min_m = 900, .max_m = 1100, .sea_level_m = 0};
  float last = -1;
  for (int height = -100; height <= 4000; height += 50) {
    const float position = RampPosition(static_cast<float>(height), low);
    EXPECT_GE(position, last);
    last = position;
  }
  EXPECT_NEAR(RampPosition(1000, low), RampPosition(1000, high), 0.01F);
  EXPECT_NEAR(RampPosition(1100, low), RampPosition(1100, high), 0.1F);
}

constexpr OverlayScale kUpToAMillion{.largest = 1'000'000, .min = 0, .max = 1'000'000};

TEST(RampTest, OverlaysGrowWithTheirLayer) {
  for (const Layer layer : {Layer::kFlow, Layer::kWashLoad, Layer::kUplift, Layer::kSediment,
                            Layer::kWear, Layer::kDeposit, Layer::kVegetation}) {
    EXPECT_LT(LayerOverlay(static_cast<v1::Layer>(layer), 10, kUpToAMillion).share,
              LayerOverlay(static_cast<v1::Layer>(layer), 500'000, kUpToAMillion).share)
        << static_cast<int>(layer);
  }
  const OverlayScale scale{.largest = 100, .min = -100, .max = 100};
  EXPECT_GT(LayerOverlay(static_cast<v1::Layer>(Layer::kUplift), -50, scale).color.b,
            LayerOverlay(static_cast<v1::Layer>(Layer::kUplift), 50, scale).color.b);
}

TEST(RampTest, ExtremeValuesGiveValidColours) {
  for (int layer = v1::LAYER_FLOW; layer <= v1::Layer_MAX; ++layer) {
    for (const OverlayScale& scale :
         {OverlayScale{}, OverlayScale{INT32_MAX, INT32_MIN, INT32_MAX}}) {
      for (const std::int32_t value : {0, 1, -1, 65'535, -65'535, INT32_MAX, INT32_MIN}) {
        const Overlay overlay = LayerOverlay(static_cast<v1::Layer>(layer), value, scale);
        for (const float part :
             {overlay.color.r, overlay.color.g, overlay.color.b, overlay.share}) {
          EXPECT_GE(part, 0.0F) << layer << " " << value;
          EXPECT_LE(part, 1.0F) << layer << " " << value;
        }
      }
    }
  }
}

TEST(RampTest, LayersHaveTheirColours) {
  const auto at = [](Layer layer, std::int32_t value) {
    return LayerOverlay(static_cast<v1::Layer>(layer), value, kUpToAMillion).color;
  };
  EXPECT_EQ(LayerOverlay(static_cast<v1::Layer>(Layer::kWaterDepth), 0, kUpToAMillion).share, 0);
  EXPECT_GT(at(Layer::kWaterDepth, 900'000).b, at(Layer::kWaterDepth, 900'000).r);
  EXPECT_GT(at(Layer::kVegetation, 60'000).g, at(Layer::kVegetation, 60'000).r);
  EXPECT_GT(at(Layer::kWear, 900'000).r, at(Layer::kWear, 900'000).g);
  EXPECT_GT(at(Layer::kDeposit, 500'000).g, at(Layer::kDeposit, 500'000).b);
  // In the wheel of hues, east is red, and the opposite direction is not.
  EXPECT_GT(at(Layer::kShoreDirection, 0).r, at(Layer::kShoreDirection, 0).g);
  EXPECT_LT(at(Layer::kShoreDirection, 32'768).r, at(Layer::kShoreDirection, 32'768).g);
  // Land is redder than water, and there is a line at eight cells.
  EXPECT_GT(at(Layer::kShoreDistance, 256).r, at(Layer::kShoreDistance, -256).r);
  EXPECT_LT(at(Layer::kShoreDistance, 8 * 256).g, at(Layer::kShoreDistance, 7 * 256).g);
  EXPECT_EQ(
      LayerOverlay(static_cast<v1::Layer>(Layer::kShoreDistance), 65'535, kUpToAMillion).share, 0);
  // A normal that points up has the usual light blue of normal maps.
  const Color up = at(Layer::kNormal, 0);
  EXPECT_FLOAT_EQ(up.r, 0.5F);
  EXPECT_FLOAT_EQ(up.g, 0.5F);
  EXPECT_FLOAT_EQ(up.b, 1.0F);
}

TEST(LabelTest, ScaleBarsHaveRoundLengths) {
  EXPECT_DOUBLE_EQ(ScaleBarLengthM(1), 1);
  EXPECT_DOUBLE_EQ(ScaleBarLengthM(4.9), 2);
  EXPECT_DOUBLE_EQ(ScaleBarLengthM(880), 500);
  EXPECT_DOUBLE_EQ(ScaleBarLengthM(0.07), 0.05);
  EXPECT_EQ(LengthText(500), "500 m");
  EXPECT_EQ(LengthText(20'000), "20 km");
  EXPECT_EQ(LengthText(0.5), "0.5 m");
}

TEST(LabelTest, StaysInItsCornerAndOutOfSmallPictures) {
  const Label label{{"alpine, level 3", "x0 0, y0 0"}, 64};
  Image image(400, 300);
  DrawLabel(label, image);
  int marked = 0;
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      const bool dot = Brightness(image, x, y) > 0;
      marked += dot ? 1 : 0;
      if (dot) {
        ASSERT_LT(x, 200);
        ASSERT_GT(y, 200);
      }
    }
  }
  EXPECT_GT(marked, 1000);
  Image small(40, 40);
  DrawLabel(label, small);
  EXPECT_THAT(small.rgb, testing::Each(0));
}

TEST(FontTest, EveryGlyphIsDifferent) {
  std::set<std::vector<std::pair<int, int>>> shapes;
  for (char c = '!'; c <= '~'; ++c) {
    std::vector<std::pair<int, int>> dots;
    DrawText(std::string(1, c), [&](int x, int y) { dots.emplace_back(x, y); });
    // The position counts too: a backtick and a comma, for example, differ only by it.
    EXPECT_TRUE(shapes.insert(dots).second) << c;
    EXPECT_FALSE(dots.empty()) << c;
  }
}

TEST(FontTest, TextIsAsWideAsItSays) {
  int right = 0;
  DrawText("Level 12", [&](int x, int y) {
    right = std::max(right, x + 1);
    EXPECT_LT(y, kFontHeight);
  });
  EXPECT_EQ(TextWidth("Level 12"), right);
  EXPECT_EQ(TextWidth(""), 0);
}

}  // namespace
}  // namespace thalweg::picture
