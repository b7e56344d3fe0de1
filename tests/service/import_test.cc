// Real land goes from a raster to a server and back to a raster, through the real programs. Needs
// GDAL.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "proto/base/message_text.h"
#include "tests/client/shell.h"
#include "tests/service/child_server.h"
#include "tests/service/http_client.h"
#include "thalweg/client.h"
#include "thalweg/v1/http.pb.h"

namespace thalweg::service {
namespace {

namespace fs = std::filesystem;
using client_test::Outcome;
using client_test::Shell;
using ::testing::HasSubstr;

constexpr int kWidth = 180;
constexpr int kHeight = 150;
constexpr double kCell = 200;
// The level that `thalweg import` chooses for cells of this size.
constexpr int kLevel = 2;

double HeightAt(int x, int y) {
  return std::round(900 + 3 * x + 200 * std::sin(0.11 * x) * std::cos(0.09 * y) +
                    60 * std::sin(0.4 * x + 0.3 * y));
}

class ImportTest : public testing::Test {
 protected:
  ImportTest() {
    std::string name = (fs::temp_directory_path() / "thalweg-import-XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~ImportTest() override { fs::remove_all(folder_); }

  std::string Path(const std::string& name) const { return (folder_ / name).string(); }

  // A raster in UTM zone 11.
  void WriteRaster() const {
    std::ofstream file(Path("land.asc"));
    file << "ncols " << kWidth << "\nnrows " << kHeight
         << "\nxllcorner 400000\nyllcorner 3800000\ncellsize " << kCell << "\n";
    for (int y = 0; y < kHeight; ++y) {
      for (int x = 0; x < kWidth; ++x) file << HeightAt(x, y) << ' ';
      file << '\n';
    }
    file.close();
    const Outcome outcome = Shell("gdal_translate -q -ot Float32 -a_srs EPSG:32611 " +
                                  Path("land.asc") + " " + Path("land.tif"));
    ASSERT_EQ(outcome.code, 0) << outcome.text;
  }

  fs::path folder_;
};

// The root mean square difference between a level and the raster, at the raster's inner vertices,
// in the raster's cells.
double Strays(Client& client, int level) {
  constexpr int kInner = 40;
  const int step = 1 << (level - kLevel);
  const auto region = client.FetchRegion({.world = "land",
                                          .level = level,
                                          .x0 = -kInner / 2 * step,
                                          .y0 = -kInner / 2 * step,
                                          .width = kInner * step,
                                          .height = kInner * step,
                                          .precision = Precision::kExact});
  EXPECT_TRUE(region.ok()) << region.status();
  double squares = 0;
  for (int y = 0; y < kInner; ++y) {
    for (int x = 0; x < kInner; ++x) {
      const auto at = static_cast<std::size_t>(step) *
                      (static_cast<std::size_t>(y) * static_cast<std::size_t>(region->width) +
                       static_cast<std::size_t>(x));
      const double height_m = region->planes[0].values[at] / 65536.0;
      const double real_m = HeightAt(kWidth / 2 - kInner / 2 + x, kHeight / 2 - kInner / 2 + y);
      squares += (height_m - real_m) * (height_m - real_m);
    }
  }
  return std::sqrt(squares / kInner / kInner) / kCell;
}

TEST_F(ImportTest, ARasterBecomesAWorldAndARasterAgain) {
  WriteRaster();
  const Outcome imported =
      Shell(THALWEG " import " + Path("land.tif") + " --out " + Path("land.json"));
  ASSERT_EQ(imported.code, 0) << imported.text;
  EXPECT_THAT(imported.text, HasSubstr("180 x 150 vertices 200 m apart at level 2"));

  const ChildServer server({"--worlds", folder_.string()});
  ASSERT_FALSE(server.address().empty());
  const auto client = Client::Connect(server.address()).value();
  const auto world = client->GetWorld("land");
  ASSERT_TRUE(world.ok()) << world.status();
  ASSERT_TRUE(world->georeference.has_value());
  EXPECT_EQ(world->georeference->crs, "EPSG:32611");

  EXPECT_LT(Strays(*client, kLevel), 0.02);
  EXPECT_LT(Strays(*client, kLevel + 1), 0.25);

  // The bake has the raster's coordinates.
  const Outcome baked = Shell(
      THALWEG " bake --server " + server.address() +
      " --world land --level 2 --x0 -20 --y0 -20 --width 40 --height 40 --out " + Path("back.tif"));
  ASSERT_EQ(baked.code, 0) << baked.text;
  for (const auto& [x, y] : {std::pair{80, 70}, {100, 90}, {85, 60}}) {
    const std::string place = absl::StrFormat("%.1f %.1f", 400000 + kCell * (x + 0.5),
                                              3800000 + kCell * (kHeight - y - 0.5));
    const Outcome there =
        Shell(absl::StrCat("gdallocationinfo -valonly -geoloc ", Path("back.tif"), " ", place));
    ASSERT_EQ(there.code, 0) << there.text;
    EXPECT_NEAR(std::stod(there.text), HeightAt(x, y), 0.05 * kCell) << place;
  }
}

// A web map begins at the land, with its margin; the plane around it has no end.
TEST_F(ImportTest, AMapStartsAtTheLand) {
  WriteRaster();
  ASSERT_EQ(
      Shell(THALWEG " import " + Path("land.tif") + " --blend 40000 --out " + Path("land.json"))
          .code,
      0);
  const ChildServer server(
      {"--worlds", folder_.string(), "--http", "127.0.0.1:0", "--http-url", "http://terrain.test"});
  ASSERT_GT(server.http_port(), 0);
  HttpClient client(server.http_port());
  v1::TileJson json;
  const HttpAnswer answer = client.Get("/v1/worlds/land/tilejson.json");
  const absl::Status parsed = text::FromJson(answer.body, json);
  ASSERT_TRUE(parsed.ok()) << parsed << answer.body;
  // 200 cells around the raster, in a window of 16 tiles of level 0.
  const double window_m = 16 * 256 * 4 * kCell;
  ASSERT_EQ(json.window_m(), window_m);
  const double degrees_per_cell = 360 * kCell / window_m;
  ASSERT_EQ(json.bounds_size(), 4);
  EXPECT_NEAR(json.bounds(0), -290 * degrees_per_cell, 1e-9);
  EXPECT_NEAR(json.bounds(2), 289 * degrees_per_cell, 1e-9);
  // Mercator's latitude of a distance from the equator, in degrees of longitude.
  const auto latitude = [](double degrees) {
    constexpr double kRadian = std::numbers::pi / 180;
    return 2 * std::atan(std::exp(degrees * kRadian)) / kRadian - 90;
  };
  EXPECT_NEAR(json.bounds(1), latitude(-274 * degrees_per_cell), 1e-9);
  EXPECT_NEAR(json.bounds(3), latitude(275 * degrees_per_cell), 1e-9);
  ASSERT_EQ(json.center_size(), 3);
  EXPECT_NEAR(json.center(0), 0, degrees_per_cell);
  EXPECT_NEAR(json.center(1), 0, degrees_per_cell);
  // The land is 579 of 16,384 cells wide, 1.13 tiles of zoom 5.
  EXPECT_EQ(json.center(2), 5);
  // A window elsewhere has no land.
  v1::TileJson far;
  ASSERT_TRUE(
      text::FromJson(client.Get("/v1/worlds/land/tilejson.json?x=9e6&y=9e6").body, far).ok());
  EXPECT_EQ(far.bounds(0), -180);
  EXPECT_EQ(far.center(2), 5);
}

TEST_F(ImportTest, AServerReportsAMissingElevationFile) {
  WriteRaster();
  ASSERT_EQ(Shell(THALWEG " import " + Path("land.tif") + " --out " + Path("land.json")).code, 0);
  for (const auto& entry : fs::directory_iterator(folder_)) {
    if (entry.path().extension() == ".elevation") fs::remove(entry.path());
  }
  ChildServer server({"--worlds", folder_.string()});
  const auto client = Client::Connect(server.address()).value();
  EXPECT_EQ(client->GetWorld("land").status().code(), absl::StatusCode::kNotFound);
  EXPECT_TRUE(Eventually([&] {
    return server.Log().find("as `thalweg import` wrote it") != std::string::npos;
  })) << server.Log();
}

TEST_F(ImportTest, RefusesRastersThatMakeNoWorld) {
  const auto error = [&](const std::string& arguments) {
    const Outcome outcome = Shell(THALWEG " import " + arguments);
    EXPECT_EQ(outcome.code, 1) << outcome.text;
    return outcome.text;
  };
  EXPECT_THAT(error(Path("nothing.tif")), HasSubstr("invalid raster"));
  std::ofstream(Path("huge.vrt"))
      << R"(<VRTDataset rasterXSize="1000000" rasterYSize="1000000"><GeoTransform>0,1,0,0,0,-1</GeoTransform>)"
      << R"(<VRTRasterBand dataType="Float32" band="1"/></VRTDataset>)";
  EXPECT_THAT(error(Path("huge.vrt")),
              HasSubstr("expected max 131072 pixels on each side, got 1000000 x 1000000; gdal_"
                        "translate -srcwin"));
  WriteRaster();
  EXPECT_THAT(error(Path("land.tif") + " --out " + Path("land.tif/land.json")),
              HasSubstr("land.tif"));
  EXPECT_EQ(
      Shell(THALWEG " import " + Path("land.tif") + " --out " + Path("new/folder/land.json")).code,
      0);
  EXPECT_EQ(Shell(THALWEG " import").code, 2);
  EXPECT_EQ(Shell(THALWEG " import " + Path("land.tif") + " --blend -3").code, 2);
  EXPECT_THAT(error(Path("land.tif") + " --name 'Not a name'"), HasSubstr("lower-case"));
}

}  // namespace
}  // namespace thalweg::service
