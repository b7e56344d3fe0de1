// What killed bakes leave, in every format that a library or a sink writes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "client/tools/raster/feature_file.h"
#include "client/tools/raster/raster_sink.h"
#include "client/tools/raster/tile_archive.h"
#include "proto/base/temporary.h"
#include "tests/child/writing_process.h"

namespace thalweg::raster_file {
namespace {

namespace fs = std::filesystem;

// Opens a file of a format, and writes a little to it. Null if that fails.
using Begin = std::function<std::shared_ptr<void>(const std::string& path)>;

template <typename Opened>
std::shared_ptr<void> Kept(Opened opened) {
  if (!opened.ok()) return nullptr;
  return std::shared_ptr<void>(*std::move(opened));
}

std::vector<std::pair<std::string, Begin>> Formats() {
  const auto raster = [](const std::string& path) {
    return RasterDescription{
        .path = path, .width = 4, .height = 4, .layer = "height", .unit = "m", .max = 9};
  };
  return {
      {"raw", [=](const auto& path) { return Kept(OpenRaw(raster(path), Sample::kInt32)); }},
      {"tif",
       [=](const auto& path) { return Kept(OpenGdal(raster(path), "GTiff", Sample::kFloat32)); }},
      {"png",
       [=](const auto& path) { return Kept(OpenGdal(raster(path), "PNG", Sample::kUint16)); }},
      {"gpkg",
       [](const auto& path) {
         return Kept(OpenGeoPackage(
             {.path = path,
              .layers = {
                  {.name = "rivers", .shape = FeatureShape::kLine, .fields = {{"length_m"}}}}}));
       }},
      {"mbtiles",
       [](const auto& path) {
         return Kept(OpenMbtiles(path, {{"name", "alps"}}));
       }},
      {"pmtiles", [](const auto& path) { return Kept(OpenPmtiles(path, {}, "{}")); }}};
}

TEST(AbandonedTest, TheNextBakeRemovesTheFilesOfAKilledOne) {
  std::string folder = (fs::temp_directory_path() / "thalweg-abandoned-XXXXXX").string();
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  for (const auto& [name, begin] : Formats()) {
    const std::string path = folder + "/a." + name;
    child::WritingProcess bake([&] { return begin(path); });
    ASSERT_TRUE(bake.has_begun()) << name;
    const auto files = [&] {
      return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
    };
    const auto before = files();
    files::RemoveAbandoned(path);
    EXPECT_EQ(files(), before) << name << ": it is being written";
    bake.Kill();
    files::RemoveAbandoned(path);
    EXPECT_EQ(files(), 0) << name;
  }
  fs::remove_all(folder);
}

}  // namespace
}  // namespace thalweg::raster_file
