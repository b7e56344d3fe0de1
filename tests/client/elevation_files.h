// Elevation models that tests write, as text that GDAL reads.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "client/tools/raster/raster_file.h"

namespace thalweg::raster_file {

struct RasterSize {
  int width = 120;
  int height = 110;
};

class ElevationFilesTest : public testing::Test {
 protected:
  static constexpr int kWidth = RasterSize().width;
  static constexpr int kHeight = RasterSize().height;
  using Size = RasterSize;

  ElevationFilesTest() {
    std::string name = (std::filesystem::temp_directory_path() / "thalweg-raster-XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~ElevationFilesTest() override { std::filesystem::remove_all(folder_); }

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

  // Writes a grid of `value(column, row)` without a nodata value, of pixels of 30 m.
  template <typename Value>
  std::string WriteGrid(const std::string& name, const Value& value, Size size = {}) const {
    std::ofstream text(folder_ / name);
    text << "ncols " << size.width << "\nnrows " << size.height
         << "\nxllcorner 0\nyllcorner 0\ncellsize 30\n";
    text.precision(17);
    for (int y = 0; y < size.height; ++y) {
      for (int x = 0; x < size.width; ++x) text << value(x, y) << ' ';
      text << '\n';
    }
    return (folder_ / name).string();
  }

  // Writes a virtual raster. Each band is the grid of a file, with elements of its own (the
  // format's documentation: gdal.org/drivers/raster/vrt.html).
  struct Band {
    std::string grid;
    std::string elements = {};
  };
  std::string WriteVirtual(const std::vector<Band>& bands, const std::string& system = "EPSG:32632",
                           const std::string& transform = "600000,30,0,5200000,0,-30",
                           const std::string& name = "land.vrt", Size size = {}) const {
    std::ostringstream text;
    text << "<VRTDataset rasterXSize='" << size.width << "' rasterYSize='" << size.height
         << "'><SRS>" << system << "</SRS><GeoTransform>" << transform << "</GeoTransform>";
    for (const Band& band : bands) {
      text << "<VRTRasterBand dataType='Float64'>" << band.elements << SourceOf(band.grid)
           << "</VRTRasterBand>";
    }
    text << "</VRTDataset>";
    std::string path = (folder_ / name).string();
    std::ofstream(path) << text.str();
    return path;
  }
  static std::string SourceOf(const std::string& grid) {
    return "<SimpleSource><SourceFilename relativeToVRT='1'>" + grid +
           "</SourceFilename><SourceBand>1</SourceBand></SimpleSource>";
  }

  static ElevationModel Read(const std::vector<std::string>& paths,
                             const ReadOptions& options = {}) {
    auto model = ReadElevationModel(paths, options);
    EXPECT_TRUE(model.ok()) << model.status();
    return model.ok() ? *std::move(model) : ElevationModel{};
  }

  static ElevationModel Read(const std::string& path, const ReadOptions& options = {}) {
    return Read(std::vector{path}, options);
  }

  static std::string ErrorOf(const std::string& path, const ReadOptions& options = {}) {
    return ErrorOf(std::vector{path}, options);
  }
  static std::string ErrorOf(const std::vector<std::string>& paths,
                             const ReadOptions& options = {}) {
    const auto model = ReadElevationModel(paths, options);
    EXPECT_EQ(model.status().code(), absl::StatusCode::kInvalidArgument) << model.status();
    return std::string(model.status().message());
  }

  std::filesystem::path folder_;
};

}  // namespace thalweg::raster_file
