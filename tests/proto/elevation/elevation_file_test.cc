#include "proto/elevation/elevation_file.h"

#include <random>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/proto/elevation/random_land.h"

namespace thalweg::elevation {
namespace {

using testing::HasSubstr;

constexpr double kCell = 30;

int Between(std::mt19937_64& random, int first, int last) {
  return std::uniform_int_distribution<int>(first, last)(random);
}

TEST(SheetShapeTest, HasEveryNthVertexOfTheRaster) {
  for (int width = 1; width < 40; ++width) {
    const SheetShape raster = ShapeOfSheet(width, 7, 0);
    EXPECT_EQ(raster, (SheetShape{-(width / 2), -3, width, 7}));
    for (int step = 1; step < 8; ++step) {
      const SheetShape sheet = ShapeOfSheet(width, 7, step);
      const int first = sheet.x0 * (1 << step);
      const int last = (sheet.x0 + sheet.width - 1) * (1 << step);
      // All vertices are on the raster. One more on either side would not be.
      EXPECT_GE(first, raster.x0);
      EXPECT_LT(last, raster.x0 + width);
      EXPECT_LT(first - (1 << step), raster.x0);
      EXPECT_GE(last + (1 << step), raster.x0 + width);
    }
  }
}

TEST(ElevationFileTest, DecodesToWhatWasEncoded) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937_64 random(seed);
    const int width = Between(random, 1, 600);
    const int height = Between(random, 1, 600);
    const int steps = Between(random, 0, 5);
    const std::vector<Sheet> sheets = RandomSheets(seed, width, height, steps);
    const std::string bytes = Encode(kCell, sheets);
    EXPECT_EQ(bytes, Encode(kCell, sheets));
    const auto file = ElevationFile::Parse(bytes);
    ASSERT_TRUE(file.ok()) << file.status();
    EXPECT_EQ((*file)->cell_size_m(), kCell);
    EXPECT_EQ((*file)->hash(), HashOf(bytes));
    ASSERT_EQ((*file)->sheets(), steps + 1);
    for (int step = 0; step <= steps; ++step) {
      const Sheet& sheet = sheets[static_cast<std::size_t>(step)];
      ASSERT_EQ((*file)->shape(step), sheet.shape);
      const int x = Between(random, 0, sheet.shape.width - 1);
      const int y = Between(random, 0, sheet.shape.height - 1);
      const int columns = Between(random, 1, sheet.shape.width - x);
      const int rows = Between(random, 1, sheet.shape.height - y);
      for (const Plane plane : {Plane::kGround, Plane::kArea, Plane::kWay}) {
        std::vector<std::int32_t> values(static_cast<std::size_t>(columns) *
                                         static_cast<std::size_t>(rows));
        (*file)->Read(step, plane, x, y, columns, rows, values);
        const auto& all = sheet.planes[static_cast<std::size_t>(plane)];
        std::size_t at = 0;
        for (int row = y; row < y + rows; ++row) {
          for (int column = x; column < x + columns; ++column) {
            ASSERT_EQ(values[at++],
                      all[static_cast<std::size_t>(row * sheet.shape.width + column)]);
          }
        }
      }
    }
  }
}

TEST(ElevationFileTest, RefusesTruncatedOrChangedFiles) {
  const std::string whole = Encode(kCell, RandomSheets(3, 70, 50, 2));
  for (std::size_t size = 0; size < whole.size(); size += 1 + size / 7) {
    const auto cut = ElevationFile::Parse(whole.substr(0, size));
    EXPECT_EQ(cut.status().code(), absl::StatusCode::kDataLoss) << size;
  }
  const auto longer = ElevationFile::Parse(whole + "x");
  EXPECT_EQ(longer.status().code(), absl::StatusCode::kDataLoss);
  // A file with a changed byte is either refused or has another hash.
  std::mt19937_64 random(4);
  for (int i = 0; i < 2000; ++i) {
    std::string changed = whole;
    changed[random() % whole.size()] ^= static_cast<char>(1 << (random() % 8));
    const auto file = ElevationFile::Parse(changed);
    if (file.ok()) {
      EXPECT_NE((*file)->hash(), HashOf(whole));
    }
  }
}

TEST(ElevationFileTest, RefusesInvalidAreasAndPaths) {
  std::vector<Sheet> no_area = RandomSheets(5, 20, 20, 0);
  no_area[0].planes[1][7] = 0;
  EXPECT_THAT(ElevationFile::Parse(Encode(kCell, no_area)).status().message(),
              HasSubstr("expected areas and ways, got 0"));
  std::vector<Sheet> no_way = RandomSheets(5, 20, 20, 0);
  no_way[0].planes[2][7] = PackedWay(9, 128);
  EXPECT_FALSE(ElevationFile::Parse(Encode(kCell, no_way)).ok());
}

TEST(ElevationFileTest, IsNamedByItsHash) {
  EXPECT_EQ(HashOf(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(FileNameOf(HashOf("")), "e3b0c44298fc1c14.elevation");
}

}  // namespace
}  // namespace thalweg::elevation
