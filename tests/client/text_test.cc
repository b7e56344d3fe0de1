// What the command prints.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "client/cli/commands.h"
#include "client/cli/json.h"
#include "client/cli/progress.h"

namespace thalweg::cli {
namespace {

using ::testing::HasSubstr;

WorldInfo Alpine() {
  return {.name = "alpine",
          .description = "High \"young\" mountains",
          .id = "00ff",
          .seed = UINT64_MAX,
          .generator_version = 2,
          .cell_size_m = 512,
          .levels = 12,
          .sea_level_m = std::nullopt,
          .layers = {Layer::kHeight, Layer::kFlow},
          .max_vertex = 1 << 20};
}

TEST(JsonTest, QuotesWhatMustBe) {
  EXPECT_EQ(JsonString("a\"b\\c\n"), "\"a\\\"b\\\\c\\u000a\"");
  EXPECT_EQ(JsonString("h\xC3\xBCgel"), "\"h\xC3\xBCgel\"");
  EXPECT_EQ(JsonNumber(0.5), "0.5");
  EXPECT_EQ(JsonNumber(-3), "-3");
}

TEST(WorldsTextTest, IsALineAWorld) {
  WorldInfo plain;
  plain.name = "a-longer-name";
  EXPECT_EQ(WorldsText({Alpine(), plain}, false),
            "alpine         High \"young\" mountains\na-longer-name  \n");
  EXPECT_EQ(WorldsText({}, true), "[]\n");
}

TEST(InfoTextTest, TellsEverything) {
  const std::string text = InfoText(Alpine(), false);
  EXPECT_THAT(text, HasSubstr("512 m at level 0, 0.25 m at level 11"));
  EXPECT_THAT(text, HasSubstr("sea level    none"));
  EXPECT_THAT(text, HasSubstr("height, flow"));
  EXPECT_EQ(InfoText(Alpine(), true),
            "{\"name\":\"alpine\",\"description\":\"High \\\"young\\\" mountains\",\"id\":\"00ff\","
            "\"seed\":\"18446744073709551615\",\"generator_version\":2,\"cell_size_m\":512,"
            "\"levels\":12,\"sea_level_m\":null,\"layers\":[\"height\",\"flow\"],"
            "\"max_vertex\":1048576}\n");
}

TEST(ProgressTest, TellsTilesAndRate) {
  EXPECT_EQ(ProgressText({.tiles_done = 16, .tiles = 64, .wire_bytes = 3'000'000}, 2),
            "[========                        ] 16/64 tiles  1.5 MB/s");
  EXPECT_THAT(ProgressText({}, 0), HasSubstr("0/0 tiles  0.0 MB/s"));
}

}  // namespace
}  // namespace thalweg::cli
