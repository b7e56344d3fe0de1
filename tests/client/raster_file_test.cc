// Elevation models in files. GDAL must be installed.
#include "client/raster/raster_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace thalweg::raster_file {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class RasterFileTest : public testing::Test {
 protected:
  RasterFileTest() {
    std::string name = (fs::temp_directory_path() / "thalweg-raster-XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~RasterFileTest() override { fs::remove_all(folder_); }

  // Writes an ASCII grid. A height is its column plus a hundred times its row.
  std::string Write(int width, int height, const std::string& cell, int hole_x = -1,
                    int hole_y = -1, int empty_columns = 0) const {
    std::ostringstream text;
    text << "ncols " << width << "\nnrows " << height << "\nxllcorner 0\nyllcorner 0\n"
         << cell << "\nNODATA_value -9999\n";
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        const bool empty = (x == hole_x && y == hole_y) || x < empty_columns;
        text << (empty ? -9999 : x + 100 * y) << ' ';
      }
      text << '\n';
    }
    std::string path = (folder_ / "land.asc").string();
    std::ofstream(path) << text.str();
    return path;
  }

  static std::string ErrorOf(const std::string& path) {
    const auto model = ReadElevationModel(path);
    EXPECT_EQ(model.status().code(), absl::StatusCode::kInvalidArgument) << model.status();
    return std::string(model.status().message());
  }

  fs::path folder_;
};

TEST_F(RasterFileTest, HasRowsFromTheNorth) {
  const auto model = ReadElevationModel(Write(70, 65, "cellsize 30"));
  ASSERT_TRUE(model.ok()) << model.status();
  EXPECT_EQ(model->cell_size_m, 30);
  EXPECT_EQ(model->ground_m.width, 70);
  EXPECT_EQ(model->ground_m.height, 65);
  EXPECT_EQ(model->ground_m.At(3, 2), 203);
}

TEST_F(RasterFileTest, EdgesWithoutDataAreCutOff) {
  const auto model = ReadElevationModel(Write(80, 70, "cellsize 30", -1, -1, 6));
  ASSERT_TRUE(model.ok()) << model.status();
  EXPECT_EQ(model->ground_m.width, 74);
  EXPECT_EQ(model->ground_m.height, 70);
  EXPECT_EQ(model->ground_m.At(0, 1), 106);
}

TEST_F(RasterFileTest, WhatIsWrongIsSaidWithWhatToDo) {
  EXPECT_THAT(ErrorOf(Write(70, 65, "cellsize 30", 40, 30)), HasSubstr("gdal_fillnodata.py"));
  EXPECT_THAT(ErrorOf(Write(1, 1, "cellsize 30")),
              HasSubstr("expected 64 to 8192 pixels on each side, got 1 x 1"));
  EXPECT_THAT(ErrorOf(Write(70, 65, "dx 30\ndy 20")),
              HasSubstr("expected square pixels, got 30 x 20 m"));
  EXPECT_THAT(ErrorOf((folder_ / "none.tif").string()), HasSubstr("No such file"));
  std::ofstream(folder_ / "text.tif") << "no raster";
  EXPECT_THAT(ErrorOf((folder_ / "text.tif").string()), HasSubstr("not recognized"));
}

TEST_F(RasterFileTest, DegreesAreRefused) {
  const std::string path = Write(70, 65, "cellsize 0.01");
  std::ofstream(folder_ / "land.prj")
      << "GEOGCS[\"WGS 84\",DATUM[\"WGS_1984\",SPHEROID[\"WGS 84\",6378137,298.257223563]],"
         "PRIMEM[\"Greenwich\",0],UNIT[\"degree\",0.0174532925199433]]";
  EXPECT_THAT(ErrorOf(path), HasSubstr("expected pixels in metres, got degrees; gdalwarp -t_srs"));
}

}  // namespace
}  // namespace thalweg::raster_file
