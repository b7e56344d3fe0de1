// The messages for wrong command lines.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "proto/command_line/options.h"
#include "proto/command_line/run.h"

namespace thalweg::command_line {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

struct Outcome {
  std::optional<int> code;
  std::string text;
};

class CommandLineTest : public testing::Test {
 protected:
  CommandLineTest() {
    draw_->add_option("--out", out_)->required();
    draw_->add_flag("--loud", loud_, "Say more");
    AddLevel(*draw_, level_);
    AddFace(*draw_, face_);
    AddRectangle(*draw_, x0_, y0_, width_, height_);
    AddRegion(*draw_, region_);
    AddShards(*draw_, shards_, shard_);
    AddChoice(*draw_, "--colour", colour_, kColours, "COLOUR", "Colour");
    Exclude(*draw_, "--region", "--face --x0");
    Need(*draw_, "--face", "--level");
    draw_->callback([this] { CompleteShard(*draw_, shards_, shard_); });
    app_.add_subcommand("erase", "Erase")->add_option("FILE,--file", out_)->required();
    app_.require_subcommand(1);
  }

  Outcome Run(const std::string& line) {
    const std::vector<std::string> words = absl::StrSplit("pen " + line, ' ', absl::SkipEmpty());
    std::vector<const char*> pointers;
    for (const std::string& word : words) pointers.push_back(word.c_str());
    testing::internal::CaptureStderr();
    testing::internal::CaptureStdout();
    const auto code = Parse(app_, static_cast<int>(pointers.size()), pointers.data());
    return {code, testing::internal::GetCapturedStdout() + testing::internal::GetCapturedStderr()};
  }

  // The first line that a wrong command line prints.
  std::string Wrong(const std::string& line) {
    const Outcome outcome = Run(line);
    EXPECT_EQ(outcome.code, kUsage) << line;
    return outcome.text.substr(0, outcome.text.find('\n'));
  }

  inline static const std::map<std::string, int> kColours = {{"blue", 1}, {"red", 2}};

  CLI::App app_{"Draws.", "pen"};
  CLI::App* draw_ = app_.add_subcommand("draw", "Draw");
  std::string out_;
  bool loud_ = false;
  int level_ = -1;
  std::optional<int> face_;
  std::int64_t x0_ = 0;
  std::int64_t y0_ = 0;
  std::int64_t width_ = 0;
  std::int64_t height_ = 0;
  std::optional<bake::LatLongBox> region_;
  int shards_ = 1;
  int shard_ = 0;
  int colour_ = 0;
};

TEST_F(CommandLineTest, AcceptsAValidCommandLine) {
  const Outcome outcome =
      Run("draw --out x --level 3 --x0 -9223372036854775808 --colour red --loud");
  EXPECT_EQ(outcome.code, std::nullopt);
  EXPECT_EQ(outcome.text, "");
  EXPECT_EQ(level_, 3);
  EXPECT_EQ(x0_, INT64_MIN);
  EXPECT_EQ(colour_, 2);
  EXPECT_TRUE(loud_);
}

TEST_F(CommandLineTest, TakesARegionOfFourNumbers) {
  ASSERT_EQ(Run("draw --out x --region 5,43.5,-16,48").code, std::nullopt);
  EXPECT_EQ(region_->west, 5);
  EXPECT_EQ(region_->south, 43.5);
  EXPECT_EQ(region_->east, -16);
  EXPECT_EQ(region_->north, 48);
}

TEST_F(CommandLineTest, NamesAWrongCommand) {
  EXPECT_EQ(Wrong(""), "pen: a command is missing: expected one of draw, erase");
  EXPECT_EQ(Wrong("paint"), "pen: invalid command: expected one of draw, erase, got paint");
}

TEST_F(CommandLineTest, NamesAnUnknownOptionBeforeAMissingOne) {
  EXPECT_EQ(
      Wrong("draw --oot x"),
      "pen: invalid option: expected one that 'pen draw --help' lists, got --oot; did you mean "
      "'--out'?");
  EXPECT_EQ(Wrong("draw --out x --colur=red"),
            "pen: invalid option: expected one that 'pen draw --help' lists, got --colur=red; did "
            "you mean '--colour'?");
  EXPECT_EQ(Wrong("--oot"), "pen: invalid option: expected one that 'pen --help' lists, got --oot");
  EXPECT_EQ(Wrong("draw --out x y"),
            "pen: invalid argument: expected one that 'pen draw --help' lists, got y");
}

TEST_F(CommandLineTest, NamesAMissingValue) {
  EXPECT_EQ(Wrong("draw"), "pen: --out is missing");
  EXPECT_EQ(Wrong("draw --out"), "pen: --out needs a value");
  EXPECT_EQ(Wrong("erase"), "pen: --file is missing");
}

TEST_F(CommandLineTest, NamesAWrongValue) {
  for (const std::string word : {"21", "-1", "abc", "1.5", "99999999999999999999", "nan"}) {
    EXPECT_EQ(Wrong("draw --out x --level " + word),
              "pen: invalid --level: expected 0 to 20, got " + word);
  }
  for (const std::string word : {"9223372036854775808", "1e3", "x"}) {
    EXPECT_EQ(Wrong("draw --out x --x0 " + word),
              "pen: invalid --x0: expected a 64-bit integer, got " + word);
  }
  EXPECT_EQ(Wrong("draw --out x --colour green"),
            "pen: invalid --colour: expected one of blue, red, got green");
  EXPECT_EQ(Wrong("draw --out x --region 1,2,3"),
            "pen: invalid --region: expected 4 numbers with commas between, got 1,2,3");
  EXPECT_EQ(Wrong("draw --out x --loud=maybe"),
            "pen: invalid --loud: expected true or false, got maybe");
  EXPECT_EQ(Wrong("draw --out x --out y"), "pen: invalid --out: expected one value, got 2");
}

TEST_F(CommandLineTest, NamesOptionsThatExcludeEachOther) {
  EXPECT_EQ(Wrong("draw --out x --x0 1 --region 1,2,3,4"), "pen: --x0 can't be used with --region");
  EXPECT_EQ(Wrong("draw --out x --face 1"), "pen: --face needs --level");
}

TEST_F(CommandLineTest, TakesTheShardFromAnArrayJob) {
  ASSERT_EQ(setenv("SLURM_ARRAY_TASK_ID", "2", 1), 0);
  EXPECT_EQ(Run("draw --out x --shards 4").code, std::nullopt);
  EXPECT_EQ(shard_, 2);
  EXPECT_EQ(Run("draw --out x --shards 4 --shard 1").code, std::nullopt);
  EXPECT_EQ(shard_, 1);
  ASSERT_EQ(unsetenv("SLURM_ARRAY_TASK_ID"), 0);
  EXPECT_EQ(
      Wrong("draw --out x --shards 4 --shard 4"),
      "pen: invalid --shard: expected 0 to 3 (--shards is 4), or the index of an array job in the "
      "environment, got 4");
  EXPECT_EQ(
      Wrong("draw --out x --shards 4"),
      "pen: --shard is missing: expected 0 to 3 (--shards is 4), or the index of an array job in "
      "the environment");
}

TEST_F(CommandLineTest, SaysWhereTheHelpIs) {
  EXPECT_THAT(Run("draw").text, HasSubstr("\nRun 'pen draw --help' for its options.\n"));
  EXPECT_THAT(Run("paint").text, HasSubstr("\nRun 'pen --help' for its options.\n"));
}

TEST_F(CommandLineTest, HelpOmitsExclusionsAndNeeds) {
  const Outcome help = Run("draw --help");
  EXPECT_EQ(help.code, kSuccess);
  EXPECT_THAT(help.text, StartsWith("Draw\nUsage: pen draw [OPTIONS]"));
  EXPECT_THAT(help.text, HasSubstr("--region W,S,E,N"));
  EXPECT_THAT(help.text, Not(HasSubstr("Excludes")));
  EXPECT_THAT(help.text, Not(HasSubstr("Needs")));
}

TEST_F(CommandLineTest, HelpMarksAnArgumentAsRequiredOnce) {
  const std::string help = Run("erase --help").text;
  EXPECT_THAT(help, HasSubstr("FILE TEXT REQUIRED"));
  EXPECT_THAT(help, HasSubstr("--file TEXT"));
  EXPECT_THAT(help, Not(HasSubstr("--file TEXT REQUIRED")));
}

}  // namespace
}  // namespace thalweg::command_line
