// The texts that the command prints.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "client/tools/cli/cameras.h"
#include "client/tools/cli/commands.h"
#include "client/tools/cli/progress.h"

namespace thalweg::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

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
          .max_vertex = 1 << 20,
          .level_costs = {300'000, 64'000, 66'000}};
}

TEST(WorldsTextTest, HasOneLinePerWorld) {
  WorldInfo plain;
  plain.name = "a-longer-name";
  EXPECT_EQ(WorldsText({Alpine(), plain}, false),
            "alpine         High \"young\" mountains\na-longer-name  \n");
  EXPECT_EQ(WorldsText({}, true), "[]\n");
}

TEST(InfoTextTest, ShowsEverything) {
  const std::string text = InfoText(Alpine(), false);
  EXPECT_THAT(text, HasSubstr("512 m at level 0, 0.25 m at level 11"));
  EXPECT_THAT(text, HasSubstr("sea level    none"));
  EXPECT_THAT(text, HasSubstr("a tile costs 300000 cells at level 0, 64000 to 66000 at each finer "
                              "level (an ordinary tile: 65536)\n"));
  EXPECT_THAT(
      text, HasSubstr("layers       height           m      height of the ground above the datum\n"
                      "             flow             cells  mean discharge, in rain on a cell\n"));
  EXPECT_EQ(InfoText(Alpine(), true),
            "{\"name\":\"alpine\",\"description\":\"High \\\"young\\\" mountains\",\"id\":\"00ff\","
            "\"seed\":\"18446744073709551615\",\"generator_version\":2,\"cell_size_m\":512,"
            "\"levels\":12,\"sea_level_m\":null,\"georeference\":null,\"layers\":["
            "{\"name\":\"height\",\"unit\":\"m\",\"scale\":1.52587890625e-05},"
            "{\"name\":\"flow\",\"unit\":\"cells\",\"scale\":0.00390625}],"
            "\"level_costs\":[300000,64000,66000],\"max_vertex\":1048576}\n");
}

TEST(InfoTextTest, ShowsHeightsIfTheyAreKnown) {
  const LandHeights heights{
      .level = 4, .lowest_m = -900.4, .highest_m = 1821.125, .peak = "5120 m east, -3100 m south"};
  EXPECT_THAT(InfoText(Alpine(), false), Not(HasSubstr("heights")));
  EXPECT_THAT(InfoText(Alpine(), false, heights),
              HasSubstr("heights      -900 to 1821 m where the world is shown first (level 4); the "
                        "highest at 5120 m east, -3100 m south\n"));
  EXPECT_THAT(InfoText(Alpine(), true, heights),
              HasSubstr("\"heights\":{\"level\":4,\"lowest_m\":-900.4,\"highest_m\":1821.13,"
                        "\"peak\":\"5120 m east, -3100 m south\"}"));
}

survey::Report AlpineReport() {
  survey::Report report;
  report.hypsometry = {.min_m = 100, .max_m = 300, .mean_m = 190, .integral = 0.45};
  report.pits = {.all = 0.0025, .outside_lakes = 0.001};
  report.depressions = {.all = 0.5, .outside_lakes = 0.25};
  report.wet_share = 0.125;
  report.slopes.percentiles_deg = {1, 2, 3, 4, 5, 6};
  return report;
}

TEST(SurveyTextTest, PrintsWhatIsKnown) {
  survey::Report report = AlpineReport();
  report.lakes = {.count = 3, .largest_spread_m = 0.0025};
  report.concavity = 0.45;
  report.hack_exponent = 0.5625;
  report.horton = {.orders = 5, .bifurcation = 4.25, .length = 2};
  report.spectral_slope = 3.125;
  report.directional_power = {1, 1.25, 0.75, 1.5};
  report.short_sectors = {1, 1.1, 0.9, 1, 1, 1, 1, 1};
  report.median_relief_m = 125;
  report.curvature = {.skewness = -0.25, .kurtosis = 4.5};
  report.sinuosity = 1.1875;
  report.aspects = {2, 0, 1, 1, 1, 1, 1, 1, 1};
  report.landforms = {0, 0.1, 0.2, 0, 0.3, 0.4, 0, 0, 0, 0};
  report.slopes.gradients_deg = {7, 8, 9, 10};
  report.slopes.over_talus = 0.5;
  report.slopes.far_over_talus = 0.25;
  report.parent_difference = {.mean_m = 1, .rms_m = 2, .max_m = 16};
  report.mass_balance = {.height_change_m = 1, .wash_load_m = 0.25, .uplift_m = 1.5};
  WorldInfo world = Alpine();
  world.talus_deg.assign(12, 36.5);
  const SurveyArguments arguments{.world = "alpine", .level = 4, .x0 = -5, .y0 = 7, .size = 64};
  const SurveyedLand land = LandOf(arguments, world);
  EXPECT_EQ(SurveyText(land, report, false),
            "alpine at level 4: 64 x 64 cells of 32 m from vertex (-5, 7) on\n"
            "\nGround\n"
            "  height                 100.0 to 300.0 m, mean 190.0 m\n"
            "  hypsometric integral   0.45\n"
            "  slopes, degrees        1.0 (5 %), 2.0 (25 %), 3.0 (50 %), 4.0 (75 %), 5.0 (95 %), "
            "6.0 (99 %)\n"
            "  gradients, degrees     7.0 (10 %), 8.0 (50 %), 9.0 (90 %), 10.0 (99 %)\n"
            "  relief within 1 km     125.0 m\n"
            "  curvature              skewness -0.25, kurtosis 4.5\n"
            "  landforms, %           flat 0.0, peak 10.0, ridge 20.0, shoulder 0.0, spur 30.0, "
            "slope 40.0, hollow 0.0, footslope 0.0, valley 0.0, pit 0.0\n"
            "  aspects                2.00 0.00 1.00 1.00 1.00 1.00 1.00 1.00 1.00\n"
            "  steeper than talus     50 % (than 36.5 degrees), by over 5 degrees 25 %\n"
            "\nWater\n"
            "  pits                   0.25 %, outside lakes 0.1 %\n"
            "  depressions            50 %, outside lakes 25 %\n"
            "  standing water         12.5 %\n"
            "  lakes                  3, level to within 2.5 mm\n"
            "  concavity              0.45\n"
            "  Hack's exponent        0.562\n"
            "  sinuosity              1.19\n"
            "  Horton's ratios        bifurcation 4.25, length 2, over 5 orders\n"
            "\nSpectrum\n"
            "  slope                  3.12\n"
            "  power by direction     east 1.00, north-east 1.25, north 0.75, north-west 1.50\n"
            "  sectors, 3 to 6 cells  1.00 1.10 0.90 1.00 1.00 1.00 1.00 1.00\n"
            "  sectors, 6 to 12       -\n"
            "\nAgainst the parent level\n"
            "  difference             rms 0.0625 cells, largest 0.5 cells\n"
            "  mean height change     1000.0 mm\n"
            "  mean wash load         250.0 mm\n"
            "  mean uplift            1500.0 mm\n");
  EXPECT_EQ(
      SurveyText(land, report, true),
      "{\"world\":\"alpine\",\"world_id\":\"00ff\",\"level\":4,\"x0\":-5,\"y0\":7,\"size\":64,"
      "\"cell_size_m\":32,\"height_m\":{\"min\":100,\"max\":300,\"mean\":190},"
      "\"hypsometric_integral\":0.45,"
      "\"slope_deg\":{\"p5\":1,\"p25\":2,\"p50\":3,\"p75\":4,\"p95\":5,\"p99\":6},"
      "\"talus_deg\":36.5,\"over_talus\":0.5,\"over_talus_by_5_deg\":0.25,"
      "\"pits\":{\"all\":0.0025,\"outside_lakes\":0.001},"
      "\"depressions\":{\"all\":0.5,\"outside_lakes\":0.25},\"standing_water\":0.125,"
      "\"lakes\":{\"count\":3,\"largest_spread_mm\":2.5},\"concavity\":0.45,"
      "\"hack_exponent\":0.5625,\"horton\":{\"orders\":5,\"bifurcation\":4.25,\"length\":2},"
      "\"spectral_slope\":3.125,"
      "\"directional_power\":{\"0\":1,\"45\":1.25,\"90\":0.75,\"135\":1.5},"
      "\"sectors_3_to_6_cells\":[1,1.1,0.9,1,1,1,1,1],\"sectors_6_to_12_cells\":null,"
      "\"gradient_deg\":{\"p10\":7,\"p50\":8,\"p90\":9,\"p99\":10},"
      "\"relief_within_1_km_m\":125,\"curvature_skewness\":-0.25,\"curvature_kurtosis\":4.5,"
      "\"sinuosity\":1.1875,"
      "\"landforms\":{\"flat\":0,\"peak\":0.1,\"ridge\":0.2,\"shoulder\":0,\"spur\":0.3,"
      "\"slope\":0.4,\"hollow\":0,\"footslope\":0,\"valley\":0,\"pit\":0},"
      "\"aspects\":[2,0,1,1,1,1,1,1,1],"
      "\"parent_difference\":{\"rms_cells\":0.0625,\"max_cells\":0.5},"
      "\"mass_balance_mm\":{\"height_change\":1000,\"wash_load\":250,\"uplift\":1500}}\n");
}

TEST(SurveyTextTest, SaysWhatIsNotKnown) {
  const SurveyArguments arguments{.world = "alpine", .level = 0, .x0 = 0, .y0 = 0, .size = 64};
  const std::string table = SurveyText(LandOf(arguments, Alpine()), AlpineReport(), false);
  EXPECT_THAT(table, HasSubstr("  concavity              -\n"));
  EXPECT_THAT(table, HasSubstr("  difference             -\n"));
  EXPECT_THAT(table, Not(HasSubstr("talus")));
  EXPECT_THAT(table, Not(HasSubstr("  lakes")));
  const std::string json = SurveyText(LandOf(arguments, Alpine()), AlpineReport(), true);
  EXPECT_THAT(json, HasSubstr("\"talus_deg\":null,\"over_talus\":null"));
  EXPECT_THAT(json, HasSubstr("\"lakes\":null,\"concavity\":null"));
  EXPECT_THAT(json, HasSubstr("\"parent_difference\":null"));
}

TEST(ProgressTest, ShowsTilesAndRate) {
  EXPECT_EQ(ProgressText({.tiles_done = 16, .tiles = 64, .wire_bytes = 3'000'000}, 2),
            "[========                        ] 16/64 tiles  1.5 MB/s");
  EXPECT_THAT(ProgressText({}, 0), HasSubstr("0/0 tiles  0.0 MB/s"));
}

// Returns what a file that is no terminal gets if each second shows its number, up to 25.
std::string ShownIn25Seconds(ProgressLine::Elsewhere elsewhere) {
  char* bytes = nullptr;
  std::size_t size = 0;
  std::FILE* file = open_memstream(&bytes, &size);
  ProgressLine::Clock::time_point now;
  {
    ProgressLine line(
        elsewhere, [&now] { return now; }, file);
    for (int second = 0; second <= 25; ++second) {
      EXPECT_EQ(line.Seconds(), second);
      line.Show(std::to_string(second), second == 25);
      now += std::chrono::seconds(1);
    }
  }
  std::fclose(file);
  std::string shown(bytes, size);
  std::free(bytes);
  return shown;
}

TEST(ProgressTest, PrintsALineEveryTenSecondsWhereNoTerminalIs) {
  EXPECT_EQ(ShownIn25Seconds(ProgressLine::Elsewhere::kLines), "10\n20\n");
  EXPECT_EQ(ShownIn25Seconds(ProgressLine::Elsewhere::kNothing), "");
}

TEST(FlightTest, BeginsAtTheShowplaceUnlessAPlaceIsGiven) {
  WorldInfo world = Alpine();
  world.showplace = {.east_m = 5'000, .south_m = -7'000, .side_m = 1'000};
  FlyArguments arguments;
  const auto begins = [&](double east, double south) {
    const Vector3 start = StartOf(arguments, world);
    EXPECT_EQ(start.east, east);
    EXPECT_EQ(start.south, south);
  };
  begins(5'000, -7'000);
  arguments.x_m = 0;
  arguments.y_m = -3;
  begins(0, -3);
}

TEST(FlightTest, ShowsHowManyTilesWereInTime) {
  cli::FlightReport report;
  report.needed = 200;
  report.in_time = 166;
  report.finest_after_s = 12.5;
  report.tiles_after_stop = 40;
  report.needed_after_stop = 36;
  const std::string text = cli::FlightText({}, {}, report, false);
  EXPECT_THAT(text, HasSubstr("166 of 200 (83.0 %)"));
  EXPECT_THAT(text, HasSubstr("after 12.50 s; tiles that arrived: 40, needed: 36"));
  const std::string json = cli::FlightText({}, {}, report, true);
  EXPECT_THAT(json, HasSubstr("\"needed\":200,\"in_time\":166"));
  EXPECT_THAT(json, HasSubstr("\"tiles_after_stop\":40,\"needed_after_stop\":36"));
  EXPECT_THAT(cli::FlightText({}, {}, {}, false), HasSubstr("not in time; tiles that arrived: 0"));
}

TEST(FlightTest, ShowsTheShareOfFramesAtFullDetail) {
  cli::FlightReport report;
  report.frames = 400;
  report.finest = 350;
  EXPECT_THAT(cli::FlightText({}, {}, report, false),
              HasSubstr("as fine as wanted        350 (87.5 %)"));
  EXPECT_THAT(cli::FlightText({}, {}, report, true),
              HasSubstr("\"finest\":350,\"finest_share\":0.875"));
}

TEST(FlightTest, ShowsThePathOrTheSpeed) {
  cli::FlyArguments arguments;
  arguments.speed_m_s = 100;
  EXPECT_THAT(cli::FlightText(arguments, {}, {}, false),
              HasSubstr(" s at 100 m/s, 100 m above the ground\n"));
  EXPECT_THAT(cli::FlightText(arguments, {}, {}, true),
              HasSubstr("\"path\":null,\"speed_m_s\":100,\"height_m\":100,"));
  arguments.path = "descent.csv";
  EXPECT_THAT(cli::FlightText(arguments, {}, {}, false), HasSubstr(" s along descent.csv\n"));
  EXPECT_THAT(cli::FlightText(arguments, {}, {}, true),
              HasSubstr("\"path\":\"descent.csv\",\"speed_m_s\":null,\"height_m\":null,"));
}

}  // namespace
}  // namespace thalweg::cli
