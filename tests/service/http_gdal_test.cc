// GDAL, with its WMS driver and nothing of ours, reads the same heights from the pyramid.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "proto/picture/ramp.h"
#include "proto/wire/tile_codec.h"
#include "server/raster/render.h"
#include "tests/access/temporary_folder.h"
#include "tests/child/child.h"
#include "tests/service/web_server.h"

namespace thalweg::service {
namespace {

constexpr int kLevel = 1;
constexpr int kTiles = 4;  // in a row of the window at that level
constexpr int kSide = kTiles * 256;

// GDAL's result for the XYZ tiles of a URL template: all rows of red, then of green, then of blue.
std::vector<std::uint8_t> ReadByGdal(const std::string& url) {
  const access::TemporaryFolder folder;
  const std::string source = folder.Put(
      "map.xml",
      absl::StrCat("<GDAL_WMS><Service name=\"TMS\"><ServerUrl>",
                   absl::StrReplaceAll(url, {{"&", "&amp;"}}),
                   "</ServerUrl></Service><DataWindow><UpperLeftX>-512</UpperLeftX>"
                   "<UpperLeftY>512</UpperLeftY><LowerRightX>512</LowerRightX>"
                   "<LowerRightY>-512</LowerRightY><TileLevel>2</TileLevel>"
                   "<TileCountX>1</TileCountX><TileCountY>1</TileCountY><YOrigin>top</YOrigin>"
                   "</DataWindow><BlockSizeX>256</BlockSizeX><BlockSizeY>256</BlockSizeY>"
                   "<BandsCount>3</BandsCount></GDAL_WMS>"));
  const std::string raw = folder.Path("raw");
  const child::Outcome outcome = child::RunToEnd(
      {THALWEG_GDAL_TRANSLATE, "-q", "-of", "ENVI", "-co", "INTERLEAVE=BSQ", source, raw});
  EXPECT_EQ(outcome.code, 0) << outcome.text;
  std::ifstream file(raw, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::vector<std::int32_t> HeightsOf(WebServer& server, int x, int y) {
  PendingTile call(*server, TileRequestOf(kLevel, x, y));
  EXPECT_TRUE(call.Await().ok());
  return *wire::DecodeLayer(call.tile().layers(0).data(), 257, 257, 0);
}

// The heights of a tile's pixels: of their north-western corners, or of their centres.
std::vector<std::int32_t> PixelsOf(const std::vector<std::int32_t>& vertices, bool at_centres) {
  std::vector<std::int32_t> pixels;
  for (std::size_t y = 0; y < 256; ++y) {
    for (std::size_t x = 0; x < 256; ++x) {
      const std::size_t i = y * 257 + x;
      const std::int64_t sum =
          std::int64_t{vertices[i]} + vertices[i + 1] + vertices[i + 257] + vertices[i + 258];
      const auto mean = static_cast<std::int32_t>(std::floor(static_cast<double>(sum) / 4 + 0.5));
      pixels.push_back(at_centres ? mean : vertices[i]);
    }
  }
  return pixels;
}

class HttpGdalTest : public testing::TestWithParam<bool> {};

TEST_P(HttpGdalTest, GdalReadsThePyramid) {
  if (std::string(THALWEG_GDAL_TRANSLATE).empty()) GTEST_SKIP() << "there is no gdal_translate";
  WebServer server;
  const std::string url =
      absl::StrCat("http://127.0.0.1:", server.port(), "/v1/worlds/test-1/xyz/${z}/${x}/${y}.");
  const std::string query =
      absl::StrCat("?window=1&x=0&y=0&registration=", GetParam() ? "centre" : "corner");
  const auto terrarium = ReadByGdal(url + "terrarium.png" + query);
  const auto mapbox = ReadByGdal(url + "mapbox.png" + query);
  constexpr std::size_t kPlane = std::size_t{kSide} * kSide;
  ASSERT_EQ(terrarium.size(), 3 * kPlane);
  ASSERT_EQ(mapbox.size(), 3 * kPlane);
  const auto pixel = [](const std::vector<std::uint8_t>& planes, std::size_t k) {
    return std::uint32_t{planes[k]} << 16 | std::uint32_t{planes[k + kPlane]} << 8 |
           planes[k + 2 * kPlane];
  };
  // The window's corner is tile (-1, -1) of level 0.
  for (int tile = 0; tile < kTiles * kTiles; ++tile) {
    const int column = tile % kTiles;
    const int row = tile / kTiles;
    const auto heights = PixelsOf(HeightsOf(server, column - 2, row - 2), GetParam());
    for (int y = 0; y < 256; ++y) {
      for (int x = 0; x < 256; ++x) {
        const auto k =
            static_cast<std::size_t>(std::int64_t{row * 256 + y} * kSide + column * 256 + x);
        const std::int32_t height = heights[static_cast<std::size_t>(std::int64_t{y} * 256 + x)];
        ASSERT_EQ(pixel(terrarium, k), picture::TerrariumOf(height)) << column << " " << row;
        ASSERT_EQ(pixel(mapbox, k), raster::MapboxOf(height)) << column << " " << row;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(AtCentres, HttpGdalTest, testing::Bool());

}  // namespace
}  // namespace thalweg::service
