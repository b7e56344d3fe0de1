// `thalweg bake --format mbtiles`, against a server in this process; SQLite and libpng read the
// file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <png.h>
#include <sqlite3.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "proto/picture/ramp.h"
#include "proto/wire/tile_key.h"
#include "tests/client/bake_fixture.h"
#include "tests/client/shell.h"

namespace thalweg {
namespace {

namespace fs = std::filesystem;
using client_test::Outcome;
using client_test::Shell;
using client_test::TerrainAt;
using ::testing::HasSubstr;

constexpr int kLevel = 3;
// The region touches columns -6 to -2 and rows 3 to 5.
constexpr char kTilesRegion[] = " --x0 -1300 --y0 900 --width 900 --height 500 ";

// Zoom, column, and row counted from the south.
using Place = std::tuple<int, int, int>;

struct Archive {
  std::map<std::string, std::string> metadata;
  std::map<Place, std::string> tiles;
  int application = 0;
};

// Calls `take` for each row of a query.
template <typename Take>
void Query(sqlite3* database, const char* text, const Take& take) {
  sqlite3_stmt* query = nullptr;
  ASSERT_EQ(sqlite3_prepare_v2(database, text, -1, &query, nullptr), SQLITE_OK)
      << sqlite3_errmsg(database);
  while (sqlite3_step(query) == SQLITE_ROW) take(query);
  sqlite3_finalize(query);
}

std::string Bytes(sqlite3_stmt* row, int column) {
  const auto* const bytes = static_cast<const char*>(sqlite3_column_blob(row, column));
  return {bytes, static_cast<std::size_t>(sqlite3_column_bytes(row, column))};
}

Archive ReadArchive(const std::string& path) {
  Archive archive;
  sqlite3* database = nullptr;
  EXPECT_EQ(sqlite3_open_v2(path.c_str(), &database, SQLITE_OPEN_READONLY, nullptr), SQLITE_OK);
  Query(database, "SELECT name, value FROM metadata",
        [&](sqlite3_stmt* row) { archive.metadata[Bytes(row, 0)] = Bytes(row, 1); });
  Query(database, "SELECT zoom_level, tile_column, tile_row, tile_data FROM tiles",
        [&](sqlite3_stmt* row) {
          const Place place(sqlite3_column_int(row, 0), sqlite3_column_int(row, 1),
                            sqlite3_column_int(row, 2));
          EXPECT_TRUE(archive.tiles.emplace(place, Bytes(row, 3)).second)
              << "a tile is there twice";
        });
  Query(database, "PRAGMA application_id",
        [&](sqlite3_stmt* row) { archive.application = sqlite3_column_int(row, 0); });
  sqlite3_close(database);
  return archive;
}

// The pixels of a PNG, red first.
std::vector<std::uint32_t> PixelsOf(const std::string& bytes) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  EXPECT_NE(png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()), 0);
  EXPECT_EQ(image.width, 256U);
  EXPECT_EQ(image.height, 256U);
  image.format = PNG_FORMAT_RGB;
  std::vector<std::uint8_t> rgb(PNG_IMAGE_SIZE(image));
  EXPECT_NE(png_image_finish_read(&image, nullptr, rgb.data(), 0, nullptr), 0) << image.message;
  std::vector<std::uint32_t> pixels;
  for (std::size_t i = 0; i + 2 < rgb.size(); i += 3) {
    pixels.push_back(std::uint32_t{rgb[i]} << 16 | std::uint32_t{rgb[i + 1]} << 8 | rgb[i + 2]);
  }
  return pixels;
}

class BakeTilesTest : public client_test::BakeFixture {
 protected:
  BakeTilesTest() : BakeFixture("--world alpine --level 3") {}
};

// The fake terrain has other noise at each level, so means of finer levels would be noticed.
TEST_F(BakeTilesTest, EachZoomHasTheHeightsOfItsLevel) {
  const Outcome outcome = Run(kTilesRegion + std::string("--out ") + Path("a.mbtiles"));
  ASSERT_EQ(outcome.code, 0) << outcome.text;
  const Archive archive = ReadArchive(Path("a.mbtiles"));
  const wire::MapWindow window{.bits = 4, .west = -8, .north = -8};
  std::map<int, int> tiles_of_zoom;
  for (const auto& [place, bytes] : archive.tiles) {
    const auto [zoom, column, south_row] = place;
    ++tiles_of_zoom[zoom];
    const int row = (1 << zoom) - 1 - south_row;
    const auto key = wire::TileOf(window, {0, zoom, column, row}, kLevel + 1);
    ASSERT_TRUE(key.ok()) << key.status();
    const std::vector<std::uint32_t> pixels = PixelsOf(bytes);
    ASSERT_EQ(pixels.size(), 256U * 256U);
    std::size_t differ = 0;
    for (int i = 0; i < 256 * 256; ++i) {
      const std::int32_t height =
          TerrainAt(Layer::kHeight, key->level, key->x * 256 + i % 256, key->y * 256 + i / 256);
      differ += picture::TerrariumOf(height) == pixels[static_cast<std::size_t>(i)] ? 0 : 1;
    }
    EXPECT_EQ(differ, 0U) << "zoom " << zoom << ", column " << column << ", row " << row;
  }
  // Columns x rows at zoom 7: -6 to -2 x 3 to 5; zoom 6: -3 to -1 x 1 to 2; zoom 5: -2 to -1
  // x 0 to 1; zoom 4: -1 x 0.
  EXPECT_EQ(tiles_of_zoom, (std::map<int, int>{{4, 1}, {5, 4}, {6, 6}, {7, 15}}));
}

TEST_F(BakeTilesTest, WritesTheMetadataOfTheFormat) {
  ASSERT_EQ(Run(kTilesRegion + std::string("--out ") + Path("a.mbtiles")).code, 0);
  Archive archive = ReadArchive(Path("a.mbtiles"));
  EXPECT_EQ(archive.application, 0x4d504258);
  EXPECT_EQ(archive.metadata["name"], "alpine");
  EXPECT_EQ(archive.metadata["format"], "png");
  EXPECT_EQ(archive.metadata["encoding"], "terrarium");
  EXPECT_EQ(archive.metadata["minzoom"], "4");
  EXPECT_EQ(archive.metadata["maxzoom"], "7");
  EXPECT_EQ(archive.metadata["type"], "baselayer");
  EXPECT_EQ(archive.metadata["version"], "3");
  EXPECT_EQ(archive.metadata["world_id"].size(), 32U);
  // There are 128 columns around the Earth. Column -6, from the origin, begins at -6 / 128 of 360.
  EXPECT_THAT(archive.metadata["bounds"], HasSubstr("-16.875,"));
  EXPECT_THAT(Shell("gdalinfo " + Path("a.mbtiles")).text, HasSubstr("Size is 1280, 768"));
}

TEST_F(BakeTilesTest, ShardsMakeTheSameFile) {
  ASSERT_EQ(Run(kTilesRegion + std::string("--out ") + Path("a.mbtiles")).code, 0);
  const std::string bake =
      kTilesRegion + std::string("--shards 2 --out ") + Path("s.mbtiles") + " ";
  ASSERT_EQ(Run(bake + "--shard 1").code, 0);
  EXPECT_THAT(Run(bake + "--merge").text, HasSubstr(": run the same bake again"));
  ASSERT_EQ(Run(bake + "--shard 0").code, 0);
  const Outcome merged = Run(bake + "--merge");
  ASSERT_EQ(merged.code, 0) << merged.text;
  EXPECT_EQ(ReadArchive(Path("s.mbtiles")).tiles, ReadArchive(Path("a.mbtiles")).tiles);
  EXPECT_FALSE(fs::exists(Path("s.mbtiles.bake")));
}

// Parts that were fetched before are not fetched again.
TEST_F(BakeTilesTest, ResumesWhereItStopped) {
  const std::string bake = kTilesRegion + std::string("--keep-parts --out ") + Path("r.mbtiles");
  ASSERT_EQ(Run(bake).code, 0);
  const std::size_t requests = server_.stream_requests().size();
  fs::remove(Path("r.mbtiles"));
  ASSERT_TRUE(fs::remove(Path("r.mbtiles.bake/level-2/-1_0.part")));
  ASSERT_EQ(Run(bake).code, 0);
  EXPECT_EQ(server_.stream_requests().size(), requests + 1);
  EXPECT_EQ(ReadArchive(Path("r.mbtiles")).tiles.size(), 26U);
}

TEST_F(BakeTilesTest, BadInputIsNamed) {
  const auto error = [&](const std::string& arguments) {
    const Outcome outcome =
        Run(kTilesRegion + std::string(" --out ") + Path("e.mbtiles ") + arguments);
    EXPECT_NE(outcome.code, 0) << arguments;
    return outcome.text;
  };
  EXPECT_THAT(error("--layer flow"), HasSubstr("expected height or water-level"));
  EXPECT_THAT(error("--window 0,0,0"),
              HasSubstr("the region reaches beyond the map's window, 0 to"));
  EXPECT_THAT(error("--window 17,0,0"), HasSubstr("BITS of 0 to 16"));
  EXPECT_THAT(error("--window 2,1e300,0"), HasSubstr("centre within the plane"));
  EXPECT_THAT(error("--crs EPSG:32632 --origin 0,0"), HasSubstr("--window"));
  EXPECT_THAT(error("--format cog --window 4,0,0"), HasSubstr("--window needs --format mbtiles"));
  EXPECT_THAT(error("--out /nowhere/e.mbtiles"), HasSubstr("--out"));
  EXPECT_THAT(Run(kTilesRegion + std::string("--out /nowhere/e.mbtiles")).text,
              HasSubstr("/nowhere/e.mbtiles"));
  EXPECT_THAT(
      Run(kTilesRegion + std::string("--format mbtiles --out ") + folder_.path().string()).text,
      HasSubstr("' is a folder"));
  EXPECT_TRUE(IsFolderEmpty()) << "something was left";
}

}  // namespace
}  // namespace thalweg
