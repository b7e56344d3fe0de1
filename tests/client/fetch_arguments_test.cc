// The options of `thalweg fetch`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <variant>
#include <vector>

#include "absl/strings/str_split.h"
#include "client/tools/cli/arguments.h"

namespace thalweg::cli {
namespace {

using ::testing::HasSubstr;

// What a command line means, or why it is refused.
std::variant<FetchArguments, std::string> Read(const std::string& options) {
  std::vector<std::string> words = absl::StrSplit("thalweg fetch --world alpine " + options, ' ');
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  testing::internal::CaptureStderr();
  const auto parsed = ParseArguments(static_cast<int>(pointers.size()), pointers.data());
  std::string refused = testing::internal::GetCapturedStderr();
  if (const auto* code = std::get_if<int>(&parsed)) {
    EXPECT_EQ(*code, 2) << options;
    return refused;
  }
  return std::get<FetchArguments>(std::get<Arguments>(parsed).command);
}

FetchArguments Taken(const std::string& options) {
  const auto read = Read(options);
  if (const auto* taken = std::get_if<FetchArguments>(&read)) return *taken;
  ADD_FAILURE() << options << ": " << std::get<std::string>(read);
  return {};
}

std::string Refused(const std::string& options) {
  const auto read = Read(options);
  if (const auto* refused = std::get_if<std::string>(&read)) return *refused;
  ADD_FAILURE() << options << " is not refused";
  return "";
}

TEST(FetchArgumentsTest, TakesTheFormatFromTheFilesName) {
  for (const char* out : {"land.png", "LAND.PNG", "land", "-", "/dev/stdout", "maps.d/land"}) {
    EXPECT_EQ(Taken(std::string("--out ") + out).format, FetchFormat::kHillshade) << out;
  }
  for (const char* out : {"land.i32", "land.raw", "land.bin", "land.png.i32"}) {
    EXPECT_EQ(Taken(std::string("--out ") + out).format, FetchFormat::kI32) << out;
  }
}

TEST(FetchArgumentsTest, TakesTheEndingsOfTheFormat) {
  for (const char* format : {"hillshade", "satellite", "png16"}) {
    Taken(std::string("--out land.png --format ") + format);
    Taken(std::string("--out - --format ") + format);
    for (const char* out : {"land.i32", "land.tif"}) {
      EXPECT_THAT(Refused(absl::StrCat("--out ", out, " --format ", format)),
                  HasSubstr(absl::StrCat(
                      "invalid --out: expected a name that ends with .png, got '", out, "'")));
    }
  }
  for (const char* out : {"land.i32", "land.raw", "land.bin", "land", "-"}) {
    Taken(std::string("--format i32 --out ") + out);
  }
  EXPECT_THAT(Refused("--out land.png --format i32"),
              HasSubstr("invalid --out: expected a name that ends with .i32 or .raw or .bin, got "
                        "'land.png'"));
}

TEST(FetchArgumentsTest, RefusesEndingsOfNoFormat) {
  for (const char* out : {"land.jpg", "land.tif", "land.png.gz", "maps/land.i16"}) {
    EXPECT_THAT(Refused(std::string("--out ") + out),
                HasSubstr("invalid --out: expected a name that ends with .png, got "))
        << out;
  }
}

TEST(FetchArgumentsTest, LeavesToTheShowplaceWhatIsNotGiven) {
  const FetchArguments neither = Taken("--out a.png");
  EXPECT_TRUE(neither.of_showplace);
  EXPECT_TRUE(neither.level_of_showplace);
  const FetchArguments level = Taken("--out a.png --level 7");
  EXPECT_TRUE(level.of_showplace);
  EXPECT_FALSE(level.level_of_showplace);
  EXPECT_EQ(level.level, 7);
  const FetchArguments place = Taken("--out a.png --level 7 --x0 1 --y0 2 --face 3");
  EXPECT_FALSE(place.of_showplace);
  EXPECT_FALSE(place.level_of_showplace);
  for (const char* part : {"--x0 1", "--x0 1 --y0 2", "--level 7 --x0 1", "--level 7 --y0 2",
                           "--face 3", "--level 7 --face 3"}) {
    EXPECT_THAT(Refused(absl::StrCat("--out a.png ", part)), HasSubstr("--")) << part;
  }
}

// The format that follows from the name has the same rules as one from the option.
TEST(FetchArgumentsTest, RefusesNumbersWhereOnlyPicturesAreDrawn) {
  EXPECT_THAT(Refused("--out land.i32 --rivers"), HasSubstr("--rivers needs --format hillshade"));
  EXPECT_THAT(Refused("--out land.i32 --disc 1,2"), HasSubstr("invalid --format"));
}

}  // namespace
}  // namespace thalweg::cli
