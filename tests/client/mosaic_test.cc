// Elevation models in several files, and in files that are larger than a world.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "client/tools/raster/merged_files.h"
#include "client/tools/raster/raster_file.h"
#include "tests/client/elevation_files.h"

namespace thalweg::raster_file {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Rough ground between 300 and 3,300 m, in numbers that GDAL reads exactly from text.
double Rough(int x, int y) {
  const double form = 700 * std::sin(0.11 * x) * std::cos(0.07 * y) + 800 * std::sin(0.013 * x * y);
  return 1800 + std::round(form * 64) / 64;
}

class MosaicTest : public ElevationFilesTest {
 protected:
  // Part of a raster in zone 32 of UTM whose first pixel is at 600,000 m east, 5,200,000 m north.
  struct Tile {
    int column = 0;
    int row = 0;
    Size size = {};
    bool is_south_up = false;
    double up_m = 0;
  };

  std::string WriteTile(const std::string& name, const Tile& tile,
                        const std::string& system = "EPSG:32632",
                        const std::string& elements = "") const {
    const auto row = [&tile](int y) { return tile.is_south_up ? tile.size.height - 1 - y : y; };
    WriteGrid(
        name + ".asc",
        [&](int x, int y) { return Rough(tile.column + x, tile.row + row(y)) + tile.up_m; },
        tile.size);
    const int edge = tile.row + (tile.is_south_up ? tile.size.height : 0);
    return WriteVirtual({{name + ".asc", elements}}, system,
                        absl::StrFormat("%d,30,0,%d,0,%d", 600'000 + 30 * tile.column,
                                        5'200'000 - 30 * edge, tile.is_south_up ? 30 : -30),
                        name + ".vrt", tile.size);
  }

  static void ExpectWhole(const ElevationModel& model, Size size) {
    ASSERT_EQ(model.ground_m.width, size.width);
    ASSERT_EQ(model.ground_m.height, size.height);
    EXPECT_EQ(model.east, 600'015);
    EXPECT_EQ(model.north, 5'199'985);
    for (int y = 0; y < size.height; ++y) {
      for (int x = 0; x < size.width; ++x) {
        ASSERT_NEAR(model.ground_m.At(x, y), Rough(x, y), 1e-9) << x << ' ' << y;
      }
    }
  }
};

// Cuts rasters at random rows and columns into tiles that overlap, and reads them in any order.
TEST_F(MosaicTest, TilesMakeTheWholeRaster) {
  std::mt19937 random(7);
  const auto pick = [&random](int from, int to) {
    return std::uniform_int_distribution<int>(from, to)(random);
  };
  for (int round = 0; round < 12; ++round) {
    SCOPED_TRACE(round);
    const Size whole = {pick(70, 150), pick(70, 150)};
    const int cut_x = pick(10, whole.width - 10);
    const int cut_y = pick(10, whole.height - 10);
    const int over = pick(0, 4);
    const bool is_south_up = pick(0, 3) == 0;
    std::vector<std::string> paths;
    for (const int column : {0, cut_x}) {
      for (const int row : {0, cut_y}) {
        const int east = column == 0 ? std::min(cut_x + over, whole.width) : whole.width;
        const int south = row == 0 ? std::min(cut_y + over, whole.height) : whole.height;
        paths.push_back(WriteTile(absl::StrCat("tile", paths.size()),
                                  {column, row, {east - column, south - row}, is_south_up, 0}));
      }
    }
    std::ranges::shuffle(paths, random);
    const ElevationModel model = Read(paths);
    ExpectWhole(model, whole);
    EXPECT_THAT(model.notes, ElementsAre(HasSubstr("4 rasters became one of")));
  }
}

// The twin: a tile that lies a pixel beside its place shows.
TEST_F(MosaicTest, AMisplacedTileIsNoticed) {
  const std::string west = WriteTile("west", {0, 0, {80, 90}, false, 0});
  const std::string east = WriteTile("east", {76, 0, {80, 90}, false, 0});
  ExpectWhole(Read({west, east}), {156, 90});
  std::ifstream file(east);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::string place = absl::StrCat(600'000 + 30 * 76);
  text.replace(text.find(place), place.size(), absl::StrCat(600'000 + 30 * 77));
  std::ofstream(east) << text;
  EXPECT_THAT(ErrorOf({west, east}), HasSubstr("expected the heights of"));
}

TEST_F(MosaicTest, AFolderStandsForItsRasters) {
  const auto folder = folder_ / "tiles";
  std::filesystem::create_directory(folder);
  std::ofstream(folder / "readme.txt") << "no raster";
  EXPECT_THAT(ErrorOf(folder.string()),
              HasSubstr("tiles' has no raster: GDAL reads none of its 1 entries"));
  WriteGrid("tiles/a.asc", Rough);
  WriteGrid("a.ovr", Rough);
  std::filesystem::copy_file(folder_ / "a.ovr", folder / "a.ovr");
  const ElevationModel model = Read(folder.string());
  EXPECT_EQ(model.ground_m.width, kWidth);
  EXPECT_EQ(model.ground_m.At(5, 8), Read((folder / "a.asc").string()).ground_m.At(5, 8));
  EXPECT_THAT(model.notes, testing::IsEmpty());
}

TEST_F(MosaicTest, ErrorsSayHowMuchOverlapsDiffer) {
  const std::string west = WriteTile("west", {0, 0, {80, 90}, false, 0});
  const std::string high = WriteTile("high", {70, 0, {80, 90}, false, 12.5});
  EXPECT_THAT(ErrorOf({west, high}),
              HasSubstr("west.vrt' where both have heights, got heights that differ by 12.5 m "
                        "on average"));
  const std::string other = WriteTile("other", {70, 0, {80, 90}, false, 0.5});
  const ElevationModel model = Read({west, other});
  EXPECT_THAT(model.notes, Contains(HasSubstr("by 0.5 m on average, up to 0.5 m")));
  // The first file counts.
  EXPECT_NEAR(model.ground_m.At(75, 9), Rough(75, 9), 1e-9);
  EXPECT_NEAR(Read({other, west}).ground_m.At(75, 9), Rough(75, 9) + 0.5, 1e-9);
}

TEST_F(MosaicTest, VerticalDatumsMustAgree) {
  const Tile tile = {0, 0, {80, 90}, false, 0};
  const Tile next = {80, 0, {80, 90}, false, 0};
  const std::string navd = WriteTile("navd", tile, "EPSG:32632+5703");
  EXPECT_THAT(ErrorOf({navd, WriteTile("egm", next, "EPSG:32632+3855")}),
              HasSubstr("navd.vrt', North American Vertical Datum 1988, got EGM2008 geoid"));
  ExpectWhole(Read({navd, WriteTile("none", next)}), {160, 90});
  // One datum in two units.
  const ElevationModel model = Read({navd, WriteTile("feet", next, "EPSG:32632+6360")});
  EXPECT_NEAR(model.ground_m.At(100, 9), Rough(100, 9) * 1200 / 3937, 1e-6);
  EXPECT_THAT(model.notes, Contains(HasSubstr("feet.vrt: heights in US survey feet")));
}

TEST_F(MosaicTest, NotesOfAllFilesAppearOnce) {
  const std::string unit = "<UnitType>ft</UnitType>";
  const auto write = [&](const std::string& name, int column) {
    return WriteTile(name, {column, 0, {80, 90}, false, 0}, "EPSG:32632", unit);
  };
  EXPECT_THAT(Read({write("a", 0), write("b", 80), write("c", 160)}).notes,
              ElementsAre(HasSubstr("heights in feet"), HasSubstr("3 rasters became one")));
}

// A height is a metre for each ten thousandth of a degree north of 46.8; the rasters are in
// degrees, whose longitudes end at 359 and begin at 0, or go on below 0.
TEST_F(MosaicTest, LongitudesContinueAcrossGreenwich) {
  constexpr double kCell = 0.0003;
  const auto height = [](int, int y) { return (46.92 - kCell * (y + 0.5) - 46.8) * 1e4; };
  const auto write = [&](const std::string& name, double west) {
    WriteGrid(name + ".asc", height);
    return WriteVirtual({{name + ".asc"}}, "EPSG:4326",
                        absl::StrFormat("%.17g,%g,0,46.92,0,%g", west, kCell, -kCell),
                        name + ".vrt");
  };
  const std::string east = write("east", 0);
  const ElevationModel model = Read({write("west", 360 - kCell * kWidth), east});
  const ElevationModel below = Read({write("below", -kCell * kWidth), east});
  EXPECT_EQ(model.crs, "EPSG:32631");
  EXPECT_THAT(model.notes, Contains(HasSubstr("one of 240 x 110 pixels")));
  EXPECT_THAT(model.ground_m.values,
              testing::Pointwise(testing::DoubleNear(1e-3), below.ground_m.values));
}

// On the meridian of 9 degrees east latitude is all that a height depends on here, in whatever
// system it is written.
TEST_F(MosaicTest, RastersOnDifferentGridsAreCombined) {
  constexpr double kCell = 0.00027;
  constexpr double kRadians = 3.14159265358979323846 / 180;
  constexpr double kEarth = 6'378'137;
  constexpr double kNorth = 46.92;
  const auto height = [](double latitude) { return (latitude - 46.8) * 1e4; };
  WriteGrid("degrees.asc", [&](int, int y) { return height(kNorth - kCell * (y + 0.5)); });
  const std::string degrees = WriteVirtual(
      {{"degrees.asc"}}, "EPSG:4326",
      absl::StrFormat("%.17g,%g,0,%g,0,%g", 9 - kCell * 100, kCell, kNorth, -kCell), "degrees.vrt");
  constexpr double kMercatorCell = 43.9;
  const double top = kEarth * std::log(std::tan((45 + kNorth / 2) * kRadians));
  WriteGrid("mercator.asc", [&](int, int y) {
    const double north = top - kMercatorCell * (y + 0.5);
    return height(std::atan(std::exp(north / kEarth)) * 2 / kRadians - 90);
  });
  const auto write_mercator = [&](double west_degrees) {
    return WriteVirtual({{"mercator.asc"}}, "EPSG:3857",
                        absl::StrFormat("%.17g,%g,0,%.17g,0,%g", west_degrees * kRadians * kEarth,
                                        kMercatorCell, top, -kMercatorCell),
                        "mercator.vrt");
  };
  const ElevationModel model = Read({degrees, write_mercator(9)});
  EXPECT_EQ(model.crs, "EPSG:32632");
  EXPECT_THAT(model.notes, Contains(HasSubstr("2 rasters on different grids became one")));
  ASSERT_GT(model.ground_m.width, 180);
  // Where the one ends and the other begins, and far from there on both sides. Off the meridian of
  // 9 degrees, lines of latitude bend by less than a metre here.
  const int axis = static_cast<int>(std::lround((500'000 - model.east) / model.cell_size_m));
  for (int y = 3; y < model.ground_m.height - 3; ++y) {
    for (int x = axis - 60; x < axis + 100; ++x) {
      ASSERT_NEAR(model.ground_m.At(x, y), model.ground_m.At(axis, y), 0.6) << x << ' ' << y;
    }
  }
  // The twin: one of them is 30 m higher.
  WriteGrid("mercator.asc", [&](int, int y) {
    const double north = top - kMercatorCell * (y + 0.5);
    return 30 + height(std::atan(std::exp(north / kEarth)) * 2 / kRadians - 90);
  });
  EXPECT_THAT(ErrorOf({degrees, write_mercator(9)}), HasSubstr("by 30 m on average"));
  // Without a reference system, nothing says where they are beside each other.
  WriteGrid("alone.asc", Rough);
  EXPECT_THAT(ErrorOf({degrees, (folder_ / "alone.asc").string()}),
              HasSubstr("and has no reference system (gdal_edit.py -a_srs sets it)"));
}

TEST_F(MosaicTest, ErrorsSayWhereAHoleBetweenTilesIs) {
  std::vector<std::string> paths;
  for (const int column : {0, 100, 200}) {
    for (const int row : {0, 100, 200}) {
      if (column == 100 && row == 100) continue;
      paths.push_back(
          WriteTile(absl::StrCat("t", column, "-", row), {column, row, {100, 100}, false, 0}));
    }
  }
  EXPECT_THAT(ErrorOf(paths), HasSubstr("raster '8 files': expected holes of max 64 pixels"));
}

TEST_F(MosaicTest, ARasterFarFromTheOthersIsAnError) {
  const std::string near = WriteTile("near", {0, 0, {100, 100}, false, 0});
  const std::string beside = WriteTile("beside", {100, 0, {80, 100}, false, 0});
  const std::string far = WriteTile("far", {900, 500, {80, 90}, false, 0});
  EXPECT_THAT(
      ErrorOf({near, beside, far}),
      HasSubstr("far.vrt': there is a gap between its heights and those of the other files"));
  const ElevationModel model =
      Read({near, beside, far}, {.no_data = NoData::kSea, .sea_level_m = 100});
  EXPECT_EQ(model.ground_m.width, 980);
  EXPECT_EQ(model.ground_m.At(500, 300), 100);
}

TEST_F(MosaicTest, AnArchiveStandsForItsRasters) {
  WriteGrid("a.asc", Rough);
  const std::string zip = (folder_ / "land.zip").string();
  ASSERT_EQ(std::system(absl::StrCat("python3 -m zipfile -c ", zip, " ", folder_.string(),
                                     "/a.asc > /dev/null")
                            .c_str()),
            0);
  EXPECT_EQ(Read(zip).ground_m.values, Read((folder_ / "a.asc").string()).ground_m.values);
  std::ofstream(zip) << "no archive";
  EXPECT_THAT(ErrorOf(zip), HasSubstr("land.zip' has no raster: GDAL reads none of its 0 entries"));
}

// More pixels than a world has become means. Two files share some of the pixels that become one.
TEST_F(MosaicTest, LargeRastersAreAveraged) {
  constexpr Size kLong = {8205, 131};
  const auto ramp = [](int x, int y) { return 1000 + 0.5 * x + 3 * y; };
  const auto write = [&](const std::string& name, int column, int width) {
    WriteGrid(name + ".asc", [&](int x, int y) { return ramp(column + x, y); },
              {width, kLong.height});
    return WriteVirtual({{name + ".asc"}}, "EPSG:32632",
                        absl::StrCat(600'000 + 30 * column, ",30,0,5200000,0,-30"), name + ".vrt",
                        {width, kLong.height});
  };
  const std::string whole = write("whole", 0, kLong.width);
  for (const auto& paths : {std::vector{whole}, std::vector{write("east", 4003, kLong.width - 4003),
                                                            write("west", 0, 4003)}}) {
    const ElevationModel model = Read(paths);
    ASSERT_EQ(model.ground_m.width, 4103);
    ASSERT_EQ(model.ground_m.height, 66);
    EXPECT_EQ(model.cell_size_m, 60);
    EXPECT_EQ(model.east, 600'030);
    // The last column and row are means of less.
    for (int y = 0; y < 65; ++y) {
      for (int x = 0; x < 4102; ++x) {
        ASSERT_NEAR(model.ground_m.At(x, y), ramp(2 * x, 2 * y) + 1.75, 1e-9) << x << ' ' << y;
      }
    }
    EXPECT_THAT(model.notes, Contains(HasSubstr("8205 x 131 pixels became 4103 x 66, each the mean "
                                                "of 2 x 2")));
  }
}

// Pixels that became one count where a quarter of them has heights.
TEST(MosaicPixelsTest, AreMeansOfPixelsWithHeights) {
  Georeferenced whole;
  whole.width = 4;
  whole.height = 4;
  whole.transform = {0, 1, 0, 0, 0, -1};
  Mosaic mosaic(whole, 2);
  mosaic.Begin("a", 0, 0, 4, 4);
  mosaic.AddRow(0, {1, NAN, NAN, NAN});
  mosaic.AddRow(1, {NAN, NAN, NAN, NAN});
  mosaic.AddRow(2, {5, 7, 1, 1});
  mosaic.AddRow(3, {NAN, 9, 1, 2});
  std::vector<std::string> notes;
  ASSERT_TRUE(mosaic.End(1, notes).ok());
  EXPECT_EQ(mosaic.place().transform[1], 2);
  const survey::Grid<double> heights_m = mosaic.TakeHeights();
  EXPECT_EQ(heights_m.At(0, 0), 1);
  EXPECT_TRUE(std::isnan(heights_m.At(1, 0)));
  EXPECT_EQ(heights_m.At(0, 1), 7);
  EXPECT_EQ(heights_m.At(1, 1), 1.25);
}

}  // namespace
}  // namespace thalweg::raster_file
