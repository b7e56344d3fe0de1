// Elevation models in files. GDAL must be installed.
#include "client/tools/raster/raster_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/client/elevation_files.h"

namespace thalweg::raster_file {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class RasterFileTest : public ElevationFilesTest {};

TEST_F(RasterFileTest, RowsBeginInTheNorth) {
  const auto model = ReadElevationModel({Write(70, 65, "cellsize 30")});
  ASSERT_TRUE(model.ok()) << model.status();
  EXPECT_EQ(model->cell_size_m, 30);
  EXPECT_EQ(model->ground_m.width, 70);
  EXPECT_EQ(model->ground_m.height, 65);
  EXPECT_EQ(model->ground_m.At(3, 2), 203);
}

TEST_F(RasterFileTest, EdgesWithoutDataAreCutOff) {
  const auto model = ReadElevationModel({Write(80, 70, "cellsize 30", -1, -1, 6)});
  ASSERT_TRUE(model.ok()) << model.status();
  EXPECT_EQ(model->ground_m.width, 74);
  EXPECT_EQ(model->ground_m.height, 70);
  EXPECT_EQ(model->ground_m.At(0, 1), 106);
}

// An island of 400 m, whose sea has no data, and an islet.
double Island(int x, int y) {
  const double height_m = 400 - 9 * std::hypot(x - 60, y - 55);
  const bool is_islet = x > 100 && x < 104 && y > 4 && y < 8;
  return is_islet ? 12 : height_m > 0 ? height_m : -9999;
}

TEST_F(RasterFileTest, ASeaWithoutDataIsRecognised) {
  const std::string path = WriteGrid("island.asc", Island);
  const ElevationModel model = Read(path);
  ASSERT_EQ(model.ground_m.width, kWidth);
  ASSERT_EQ(model.ground_m.height, kHeight);
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      ASSERT_NEAR(model.ground_m.At(x, y), std::max(Island(x, y), 0.0), 1e-4) << x << ' ' << y;
    }
  }
  ASSERT_EQ(model.notes.size(), 2u);
  EXPECT_THAT(model.notes[1], HasSubstr("became sea at 0 m; --no-data cut"));
  // Its users may know better.
  EXPECT_THAT(ErrorOf(path, {.no_data = NoData::kCut}), HasSubstr("a rectangle of 64 x 64"));
  const ElevationModel lake = Read(path, {.no_data = NoData::kSea, .sea_level_m = 372});
  EXPECT_EQ(lake.ground_m.At(0, 0), 372);
  EXPECT_THAT(ErrorOf(path, {.no_data = NoData::kHole}), HasSubstr("holes of max 64 pixels"));
}

// The corners of a rotated raster are no sea, although its lowest valleys end there.
TEST_F(RasterFileTest, CornersWithoutDataAreNotSea) {
  const auto turned = [](int x, int y) {
    return x + y < 40 || x + y > kWidth + kHeight - 42 ? -9999.0 : 3 + 4.0 * (x % 40) + y;
  };
  const std::string path = WriteGrid("turned.asc", turned);
  const ElevationModel model = Read(path);
  EXPECT_LT(model.ground_m.width, kWidth);
  EXPECT_THAT(model.notes.back(), HasSubstr("the edges have no data; --no-data sea"));
  EXPECT_EQ(Read(path, {.no_data = NoData::kSea}).ground_m.At(0, 0), 0);
}

TEST_F(RasterFileTest, ErrorsSayWhatToDo) {
  EXPECT_THAT(ErrorOf(Write(1, 1, "cellsize 30")),
              HasSubstr("expected 64 pixels or more on each side, got 1 x 1"));
  EXPECT_THAT(ErrorOf(Write(70, 65, "dx 30\ndy 20")),
              HasSubstr("expected square pixels, got 30 x 20 m, without a reference system"));
  EXPECT_THAT(ErrorOf(Write(70, 65, "cellsize 5000")),
              HasSubstr("expected pixels of 0.01 to 4096 m, got pixels of 5000 m"));
  EXPECT_THAT(ErrorOf((folder_ / "none.tif").string()), HasSubstr("No such file"));
  std::ofstream(folder_ / "text.tif") << "no raster";
  EXPECT_THAT(ErrorOf((folder_ / "text.tif").string()), HasSubstr("not recognized"));
}

// Ground between 500 and 1,200 m.
double Slope(int x, int y) { return 500 + 3.5 * x + 2.25 * y; }

TEST_F(RasterFileTest, HeightsInOtherUnitsBecomeMetres) {
  WriteGrid("land.asc", Slope);
  constexpr double kSurveyFoot = 1200.0 / 3937;
  const std::vector<std::pair<std::string, double>> units = {{"", 1},
                                                             {"m", 1},
                                                             {"Metres", 1},
                                                             {"m a.s.l.", 1},
                                                             {"ft", 0.3048},
                                                             {"Feet", 0.3048},
                                                             {"US survey foot", kSurveyFoot},
                                                             {"ftUS", kSurveyFoot},
                                                             {"unknown", 1},
                                                             {"cm", 0.01}};
  for (const auto& [unit, metres] : units) {
    const ElevationModel model =
        Read(WriteVirtual({{"land.asc", "<UnitType>" + unit + "</UnitType>"}}));
    ASSERT_FALSE(model.ground_m.values.empty()) << unit;
    EXPECT_NEAR(model.ground_m.At(9, 4), Slope(9, 4) * metres, 1e-6) << unit;
    EXPECT_EQ(model.notes.size(), metres == 1 ? 0U : 1U) << unit;
  }
  const std::string odd = WriteVirtual({{"land.asc", "<UnitType>fathoms</UnitType>"}});
  EXPECT_THAT(ErrorOf(odd),
              HasSubstr("expected heights in metres or feet, got a band in 'fathoms'"));
  EXPECT_NEAR(Read(odd, {.height_unit_m = 1.8288}).ground_m.At(9, 4), Slope(9, 4) * 1.8288, 1e-6);
}

TEST_F(RasterFileTest, ReferenceSystemsDefineTheUnitOfHeights) {
  WriteGrid("land.asc", Slope);
  constexpr double kSurveyFoot = 1200.0 / 3937;
  // NAVD88 in US survey feet above UTM in metres.
  const ElevationModel compound = Read(WriteVirtual({{"land.asc"}}, "EPSG:32610+6360"));
  EXPECT_NEAR(compound.ground_m.At(9, 4), Slope(9, 4) * kSurveyFoot, 1e-6);
  EXPECT_EQ(compound.cell_size_m, 30);
  // California's zone 5, in US survey feet.
  const ElevationModel state = Read(WriteVirtual({{"land.asc"}}, "EPSG:2229"));
  EXPECT_NEAR(state.ground_m.At(9, 4), Slope(9, 4) * kSurveyFoot, 1e-6);
  EXPECT_NEAR(state.cell_size_m, 30 * kSurveyFoot, 1e-9);
  EXPECT_THAT(state.notes, testing::ElementsAre(HasSubstr("--height-unit m")));
  // The band's own unit comes first.
  const ElevationModel metres =
      Read(WriteVirtual({{"land.asc", "<UnitType>m</UnitType>"}}, "EPSG:2229"));
  EXPECT_NEAR(metres.ground_m.At(9, 4), Slope(9, 4), 1e-6);
}

TEST_F(RasterFileTest, ScaleAndOffsetAreApplied) {
  WriteGrid("land.asc", [](int x, int y) { return (Slope(x, y) - 500) / 0.25; });
  const ElevationModel model = Read(WriteVirtual(
      {{"land.asc", "<Offset>500</Offset><Scale>0.25</Scale><UnitType>m</UnitType>"}}));
  EXPECT_NEAR(model.ground_m.At(9, 4), Slope(9, 4), 1e-6);
  EXPECT_THAT(model.notes, testing::ElementsAre(HasSubstr("values * 0.25 + 500")));
  EXPECT_THAT(ErrorOf(WriteVirtual({{"land.asc", "<Scale>0</Scale>"}})), HasSubstr("got 0 and 0"));
}

// A hole inside the raster.
bool IsHole(int x, int y) { return x >= 30 && x < 40 && y >= 20 && y < 28; }

TEST_F(RasterFileTest, PixelsWithoutHeightsAreFilled) {
  struct Case {
    std::string name;
    double value;
    std::string elements;
  };
  const std::string mask = "<MaskBand><VRTRasterBand dataType='Byte'>" + SourceOf("mask.asc") +
                           "</VRTRasterBand></MaskBand>";
  WriteGrid("mask.asc", [](int x, int y) { return IsHole(x, y) ? 0 : 255; });
  const std::vector<Case> cases = {
      {"a mask", 700, mask},
      {"nodata", -1, "<NoDataValue>-1</NoDataValue>"},
      {"a rounded nodata", -3.4028234663852886e38, "<NoDataValue>-3.4e38</NoDataValue>"},
      {"no nodata, -9999", -9999, ""},
      {"another nodata, -32768", -32768, "<NoDataValue>-9999</NoDataValue>"},
      {"no nodata, 0", 0, ""}};
  for (const Case& shown : cases) {
    SCOPED_TRACE(shown.name);
    WriteGrid("land.asc", [&](int x, int y) { return IsHole(x, y) ? shown.value : Slope(x, y); });
    const ElevationModel model = Read(WriteVirtual({{"land.asc", shown.elements}}));
    ASSERT_EQ(model.ground_m.width, kWidth);
    for (int y = 0; y < kHeight; ++y) {
      for (int x = 0; x < kWidth; ++x) {
        EXPECT_NEAR(model.ground_m.At(x, y), Slope(x, y), IsHole(x, y) ? 15 : 1e-6)
            << x << " " << y;
      }
    }
    EXPECT_THAT(model.notes, testing::Contains("missing pixels inside: 80, filled"));
  }
}

// The twin: the same values among heights like them are heights.
TEST_F(RasterFileTest, NoDataValuesAmongSimilarHeightsAreHeights) {
  for (const double shift : {-9999.0, 0.0}) {
    const auto trench = [shift](int x, int y) { return shift + x - 35 + y - 30; };
    const std::string path = WriteGrid("land.asc", trench);
    const ElevationModel model = Read(path);
    EXPECT_EQ(model.ground_m.At(35, 30), shift);
    EXPECT_THAT(model.notes, testing::IsEmpty());
  }
}

TEST_F(RasterFileTest, LargeHolesAreRefusedWithTheirPlace) {
  // From everywhere in the hole's middle, the nearest height is farther than 32 pixels.
  std::ofstream grid(folder_ / "land.asc");
  grid << "ncols 160\nnrows 160\nxllcorner 0\nyllcorner 0\ncellsize 30\nNODATA_value -9999\n";
  for (int y = 0; y < 160; ++y) {
    for (int x = 0; x < 160; ++x) {
      const bool is_hole = x >= 20 && x < 120 && y >= 30 && y < 130;
      grid << (is_hole ? -9999 : 500 + x) << ' ';
    }
    grid << '\n';
  }
  grid.close();
  const std::string error = ErrorOf((folder_ / "land.asc").string());
  EXPECT_THAT(error,
              HasSubstr("expected holes of max 64 pixels across, got a larger one around column"));
}

TEST_F(RasterFileTest, HeightsOutOfRangeAreRefused) {
  const std::string path =
      WriteGrid("land.asc", [](int x, int y) { return x == 5 && y == 5 ? 20'000 : Slope(x, y); });
  EXPECT_THAT(ErrorOf(path),
              HasSubstr("expected heights of -16000 to 16000 m, got 500 to 20000 m"));
}

TEST_F(RasterFileTest, ARasterWithoutDataIsRefused) {
  const std::string path = WriteGrid("land.asc", [](int, int) { return -9999; });
  EXPECT_THAT(ErrorOf(path), HasSubstr("13200 of 13200 pixels without data"));
}

TEST_F(RasterFileTest, TheBandWithHeightsIsChosen) {
  WriteGrid("land.asc", Slope);
  WriteGrid("flat.asc", [](int, int) { return 128; });
  const std::string described =
      WriteVirtual({{"flat.asc"}, {"land.asc", "<Description>Elevation (m)</Description>"}});
  EXPECT_NEAR(Read(described).ground_m.At(9, 4), Slope(9, 4), 1e-6);
  const std::string silent = WriteVirtual({{"flat.asc"}, {"land.asc"}});
  EXPECT_THAT(ErrorOf(silent), HasSubstr("band 1 is 128 in every pixel; --band chooses one of 2"));
  EXPECT_NEAR(Read(silent, {.band = 2}).ground_m.At(9, 4), Slope(9, 4), 1e-6);
  EXPECT_THAT(ErrorOf(silent, {.band = 3}), HasSubstr("expected --band 1 to 2, got 3"));
  const std::string picture = WriteVirtual({{"land.asc", "<ColorInterp>Red</ColorInterp>"},
                                            {"land.asc", "<ColorInterp>Green</ColorInterp>"},
                                            {"land.asc", "<ColorInterp>Blue</ColorInterp>"}});
  EXPECT_THAT(ErrorOf(picture), HasSubstr("got a picture of 3 bands"));
}

TEST_F(RasterFileTest, MirroredRastersAreFlipped) {
  WriteGrid("land.asc", Slope);
  const ElevationModel straight = Read(WriteVirtual({{"land.asc"}}));
  // The same pixels, whose first row is the southernmost, then whose first column is the
  // easternmost.
  WriteGrid("land.asc", [](int x, int y) { return Slope(x, kHeight - 1 - y); });
  const ElevationModel south_up =
      Read(WriteVirtual({{"land.asc"}}, "EPSG:32632", "600000,30,0,5196700,0,30"));
  WriteGrid("land.asc", [](int x, int y) { return Slope(kWidth - 1 - x, y); });
  const ElevationModel mirrored =
      Read(WriteVirtual({{"land.asc"}}, "EPSG:32632", "603600,-30,0,5200000,0,-30"));
  for (const ElevationModel* model : {&south_up, &mirrored}) {
    EXPECT_EQ(model->ground_m.values, straight.ground_m.values);
    EXPECT_EQ(model->east, straight.east);
    EXPECT_EQ(model->north, straight.north);
  }
}

// Ground that rises evenly, by coordinates of its system: cubic weights give it exactly.
double Rising(double east, double north) {
  return 800 + 0.05 * (east - 600'000) + 0.02 * (north - 5'200'000);
}

TEST_F(RasterFileTest, PixelsBecomeSquareInTheirSystem) {
  struct Case {
    std::string reason;
    // GDAL's six numbers.
    std::array<double, 6> t;
  };
  // Turned by five degrees, the same mirrored, and oblong.
  const std::vector<Case> cases = {
      {"rotated pixels", {600'000, 29.88584, 2.61467, 5'200'000, 2.61467, -29.88584}},
      {"rotated pixels", {600'000, -29.88584, 2.61467, 5'200'000, 2.61467, 29.88584}},
      {"pixels that are not square", {600'000, 30, 0, 5'200'000, 0, -24}}};
  for (const auto& [reason, t] : cases) {
    SCOPED_TRACE(reason);
    WriteGrid("land.asc", [&t](int column, int row) {
      const double x = column + 0.5;
      const double y = row + 0.5;
      return Rising(t[0] + t[1] * x + t[2] * y, t[3] + t[4] * x + t[5] * y);
    });
    std::ostringstream transform;
    transform.precision(17);
    for (std::size_t n = 0; n < t.size(); ++n) transform << (n == 0 ? "" : ",") << t[n];
    const ElevationModel model = Read(WriteVirtual({{"land.asc"}}, "EPSG:32632", transform.str()));
    ASSERT_GE(model.ground_m.width, kMinSide);
    EXPECT_NEAR(model.cell_size_m, 30, 1e-9);
    EXPECT_EQ(model.crs, "EPSG:32632");
    for (int y = 3; y < model.ground_m.height - 3; ++y) {
      for (int x = 3; x < model.ground_m.width - 3; ++x) {
        ASSERT_NEAR(model.ground_m.At(x, y), Rising(model.east + 30 * x, model.north - 30 * y),
                    0.05)
            << x << " " << y;
      }
    }
    EXPECT_THAT(model.notes, testing::Contains(HasSubstr(reason + " became pixels of 30")));
  }
}

// On the meridian of 9 degrees east, UTM's zone 32 has its own axis: easting 500,000 m, and the
// northing of a latitude is 0.9996 times the arc of the WGS 84 meridian.
double LatitudeOf(double north) {
  constexpr double kRadians = 3.14159265358979323846 / 180;
  double latitude = north / 111'000;
  for (int n = 0; n < 20; ++n) {
    const double arc = 111'132.95254 * latitude - 16'038.50868 * std::sin(2 * latitude * kRadians) +
                       16.83261 * std::sin(4 * latitude * kRadians) -
                       0.02181 * std::sin(6 * latitude * kRadians);
    latitude += (north / 0.9996 - arc) / 111'132.95254;
  }
  return latitude;
}

TEST_F(RasterFileTest, DegreesAndMercatorBecomeMetresOnTheGround) {
  constexpr double kNorth = 46.92;
  constexpr double kRadians = 3.14159265358979323846 / 180;
  constexpr double kEarth = 6'378'137;
  const auto mercator = [](double latitude) {
    return kEarth * std::log(std::tan((45 + latitude / 2) * kRadians));
  };
  // A height is a metre for each ten thousandth of a degree north of 46.8.
  const auto height = [](double latitude) { return (latitude - 46.8) * 1e4; };
  struct Case {
    std::string system;
    std::string reason;
    double west, north, cell;
    // The latitude of a row's middle.
    std::function<double(double)> latitude;
  };
  constexpr double kCellDegrees = 0.00027;
  constexpr double kCellMercator = 43.9;
  const std::vector<Case> cases = {
      {"EPSG:4326", "pixels in degrees", 9 - kCellDegrees * (kWidth / 2 + 0.5), kNorth,
       kCellDegrees, [&](double north) { return north; }},
      // Longitudes go on beyond 180 in some files.
      {"EPSG:4326", "pixels in degrees", 369 - kCellDegrees * (kWidth / 2 + 0.5), kNorth,
       kCellDegrees, [&](double north) { return north; }},
      {"EPSG:3857", "pixels of 43.9 m that are 30.0",
       kEarth * 9 * kRadians - kCellMercator * (kWidth / 2 + 0.5), mercator(kNorth), kCellMercator,
       [&](double north) { return std::atan(std::exp(north / kEarth)) * 2 / kRadians - 90; }}};
  for (const Case& shown : cases) {
    SCOPED_TRACE(shown.system);
    WriteGrid("land.asc", [&](int, int row) {
      return height(shown.latitude(shown.north - shown.cell * (row + 0.5)));
    });
    std::ostringstream transform;
    transform.precision(17);
    transform << shown.west << ',' << shown.cell << ",0," << shown.north << ",0," << -shown.cell;
    const ElevationModel model = Read(WriteVirtual({{"land.asc"}}, shown.system, transform.str()));
    ASSERT_GE(model.ground_m.width, kMinSide);
    EXPECT_EQ(model.crs, "EPSG:32632");
    EXPECT_NEAR(model.cell_size_m, 30, 0.05);
    EXPECT_THAT(model.notes, testing::Contains(HasSubstr(shown.reason)));
    const int axis = static_cast<int>(std::lround((500'000 - model.east) / model.cell_size_m));
    ASSERT_GT(axis, 0);
    ASSERT_LT(axis, model.ground_m.width);
    for (int y = 3; y < model.ground_m.height - 3; ++y) {
      const double latitude = LatitudeOf(model.north - model.cell_size_m * y);
      EXPECT_NEAR(model.ground_m.At(axis, y), height(latitude), 0.5) << y;
    }
  }
}

// As bakes of worlds without a place on the Earth have it.
TEST_F(RasterFileTest, SystemsWithoutAPlaceDoNotChange) {
  WriteGrid("land.asc", Slope);
  for (const std::string system : {"LOCAL_CS[&quot;Plane&quot;,UNIT[&quot;metre&quot;,1]]", ""}) {
    const ElevationModel model = Read(WriteVirtual({{"land.asc"}}, system));
    EXPECT_EQ(model.cell_size_m, 30);
    EXPECT_EQ(model.ground_m.width, kWidth);
    EXPECT_THAT(model.notes, testing::IsEmpty());
  }
}

TEST_F(RasterFileTest, AnotherSystemCanBeChosen) {
  WriteGrid("land.asc", Slope);
  const std::string path = WriteVirtual({{"land.asc"}});
  const ElevationModel model = Read(path, {.crs = "EPSG:25833"});
  EXPECT_EQ(model.crs, "EPSG:25833");
  EXPECT_NEAR(model.cell_size_m, 30, 0.3);
  EXPECT_THAT(
      ErrorOf(path, {.crs = "EPSG:4326"}),
      HasSubstr("invalid --crs: expected one in metres that GDAL knows, such as EPSG:32632"));
  EXPECT_THAT(ErrorOf(path, {.crs = "EPSG:32799x"}), HasSubstr("invalid --crs"));
  EXPECT_THAT(ErrorOf(WriteGrid("land.asc", Slope), {.crs = "EPSG:25833"}),
              HasSubstr("has no reference system to convert from"));
  EXPECT_THAT(ErrorOf(WriteVirtual({{"land.asc"}}, "EPSG:4326", "9,0.01,0,950,0,-0.01")),
              HasSubstr("expected a position on the Earth"));
}

}  // namespace
}  // namespace thalweg::raster_file
