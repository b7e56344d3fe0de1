// The program `thalweg`, against a server in this process.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <png.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "client/tools/cli/commands.h"
#include "client/tools/globe/square.h"
#include "tests/client/fake_server.h"
#include "tests/client/shell.h"

namespace thalweg {
namespace {

namespace fs = std::filesystem;
using client_test::FakeServer;
using client_test::kPlanetRadiusM;
using client_test::Outcome;
using client_test::PlanetTerrainAt;
using client_test::TerrainAt;
using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class CommandTest : public ::testing::Test {
 protected:
  CommandTest() {
    std::string name = (fs::temp_directory_path() / "thalweg-command-XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~CommandTest() override { fs::remove_all(folder_); }

  // Runs the command in a shell.
  static Outcome Run(const std::string& arguments) {
    return client_test::Shell(THALWEG " " + arguments);
  }
  Outcome RunHere(const std::string& arguments) const {
    return Run(arguments + " --server " + server_.address());
  }
  std::string Path(const std::string& name) const { return (folder_ / name).string(); }
  std::size_t Files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  FakeServer server_;
  fs::path folder_;
};

TEST_F(CommandTest, PrintsItsVersionAndHelp) {
  const Outcome version = Run("--version");
  EXPECT_EQ(version.code, 0);
  EXPECT_THAT(version.text, StartsWith("thalweg "));
  const Outcome help = Run("fetch --help");
  EXPECT_EQ(help.code, 0);
  EXPECT_THAT(help.text, HasSubstr("--world NAME"));
  EXPECT_THAT(Run("survey --help").text, HasSubstr("Cells on a side, 64 to 4096"));
  for (const LayerDescription& layer : AllLayers()) {
    EXPECT_THAT(help.text, HasSubstr("  " + std::string(layer.name) + " "));
  }
}

TEST_F(CommandTest, WrongUsageExitsWithTwo) {
  const std::string fetch = "fetch --world alpine --level 1 --out " + Path("x");
  const std::string survey = "survey --world alpine --level 1 --x0 0 --y0 0";
  for (const std::string& arguments :
       {std::string(""),
        std::string("nonsense"),
        std::string("info"),
        fetch + " --x0 0",
        fetch + " --x0 0 --y0 0 --size 0",
        fetch + " --x0 0 --y0 0 --size 16385",
        fetch + " --x0 0 --y0 1.5 --size 9",
        fetch + " --x0 9223372036854775808 --y0 0 --size 9",
        fetch + " --x0 0 --y0 0 --size 9 --format jpeg",
        fetch + " --x0 0 --y0 0 --size 9 --layer lava",
        fetch + " --x0 0 --y0 0 --size 9 --rivers --format i32",
        fetch + " --x0 0 --y0 0 --size 9 --level -1",
        survey,
        survey + " --size 63",
        survey + " --size 4097",
        survey + " --size 64 --level 21",
        survey + " --size 64 --out x",
        std::string("survey --level 1 --x0 0 --y0 0 --size 64"),
        std::string("survey --raster land.tif --world alpine"),
        std::string("survey --raster"),
        "fetch --world islands --format satellite --layer slope --out " + Path("x"),
        "fetch --world islands --x0 4 --y0 5 --out " + Path("x")}) {
    const Outcome outcome = RunHere(arguments);
    EXPECT_EQ(outcome.code, 2) << arguments << "\n" << outcome.text;
    EXPECT_FALSE(outcome.text.empty()) << arguments;
  }
  EXPECT_THAT(Run("nonsense").text, HasSubstr("invalid command: expected one of worlds"));
}

TEST_F(CommandTest, ListsWorlds) {
  const Outcome outcome = RunHere("worlds");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.text, "alpine   The world of alpine\nislands  The world of islands\n");
  EXPECT_THAT(RunHere("worlds --json").text, StartsWith("[{\"name\":\"alpine\""));
}

TEST_F(CommandTest, DescribesAWorld) {
  const Outcome outcome = RunHere("info --world islands");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.text, HasSubstr("sea level    0 m"));
  for (const LayerDescription& layer : AllLayers()) {
    EXPECT_THAT(outcome.text, HasSubstr(std::string(layer.text)));
  }
}

TEST_F(CommandTest, NamesTheWorldsWhenOneIsUnknown) {
  const Outcome outcome = RunHere("info --world alps");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.text,
            "thalweg: get world 'alps': unknown world; there are alpine and islands\n");
}

TEST_F(CommandTest, SaysThatTheServerDoesNotAnswer) {
  std::string address;
  {
    const FakeServer gone;
    address = gone.address();
  }
  const Outcome outcome = Run("worlds --server " + address);
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.text, StartsWith("thalweg: connect to " + address + ": "));
  EXPECT_THAT(outcome.text, EndsWith("; is thalwegd running?\n"));
  EXPECT_EQ(std::count(outcome.text.begin(), outcome.text.end(), '\n'), 1);
}

TEST_F(CommandTest, FetchesRawValuesExactly) {
  const std::string out = Path("h.i32");
  const std::string fetch =
      "fetch --world alpine --level 3 --size 300 --format i32 --out " + out + " ";
  for (const std::string& place :
       {std::string("--x0 -100 --y0 -7"), std::string("--x0=-100 --y0=-7")}) {
    const Outcome outcome = RunHere(fetch + place);
    ASSERT_EQ(outcome.code, 0) << outcome.text;
    EXPECT_THAT(outcome.text, HasSubstr("300 x 300 vertices of alpine at level 3"));
    std::vector<std::int32_t> values(300 * 300);
    std::ifstream file(out, std::ios::binary);
    file.read(reinterpret_cast<char*>(values.data()), 300 * 300 * 4);
    ASSERT_EQ(file.gcount(), 300 * 300 * 4);
    for (int y = 0; y < 300; ++y) {
      for (int x = 0; x < 300; ++x) {
        ASSERT_EQ(values[static_cast<std::size_t>(y * 300 + x)],
                  TerrainAt(Layer::kHeight, 3, -100 + x, -7 + y));
      }
    }
  }
}

TEST_F(CommandTest, FetchesToAPipe) {
  const Outcome outcome =
      RunHere("fetch --world alpine --level 3 --x0 0 --y0 0 --size 10 --format i32 --out -");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.text.size(), 400U);
}

TEST_F(CommandTest, FetchesPictures) {
  std::vector<std::string> wanted = {"--rivers", "--no-label"};
  for (const LayerDescription& layer : AllLayers()) {
    for (const char* format : {"hillshade", "png16"}) {
      wanted.push_back("--layer " + std::string(layer.name) + " --format " + format);
    }
  }
  const std::string out = Path("p.png");
  const std::string fetch =
      "fetch --world islands --level 3 --x0 1 --y0 2 --size 320 --json --out " + out + " ";
  for (const std::string& what : wanted) {
    fs::remove(out);
    const Outcome outcome = RunHere(fetch + what);
    ASSERT_EQ(outcome.code, 0) << what << ": " << outcome.text;
    EXPECT_THAT(outcome.text, HasSubstr("\"world\":\"islands\"")) << what;
    png_image image = {};
    image.version = PNG_IMAGE_VERSION;
    ASSERT_NE(png_image_begin_read_from_file(&image, out.c_str()), 0) << what;
    EXPECT_EQ(image.width, 320U) << what;
    EXPECT_EQ(image.height, 320U) << what;
    png_image_free(&image);
  }
}

// A layer of the fake server's terrain, in metres.
survey::Grid<double> GridAt(Layer layer, int level, std::int64_t x0, std::int64_t y0, int width,
                            int height) {
  survey::Grid<double> grid = survey::FilledGrid(width, height, 0.0);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      grid.At(x, y) = TerrainAt(layer, level, x0 + x, y0 + y) / 65536.0;
    }
  }
  return grid;
}

TEST_F(CommandTest, FetchesTheShowplaceUnlessAPlaceIsGiven) {
  const std::string fetch = "fetch --world islands --size 120 --format i32 --out ";
  // 15,360 m with 120 vertices need cells of 128 m: level 2. Its middle is vertex (100, -50).
  ASSERT_EQ(RunHere(fetch + Path("shown.i32")).code, 0);
  ASSERT_EQ(RunHere(fetch + Path("placed.i32") + " --level 2 --x0 40 --y0 -110").code, 0);
  ASSERT_EQ(RunHere(fetch + Path("other.i32") + " --level 2 --x0 41 --y0 -110").code, 0);
  const auto read = [&](const char* name) {
    std::ifstream file(Path(name), std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  EXPECT_EQ(read("shown.i32").size(), std::size_t{120} * 120 * 4);
  EXPECT_TRUE(read("shown.i32") == read("placed.i32"));
  EXPECT_FALSE(read("shown.i32") == read("other.i32"));
  // At another level the square has the same middle.
  ASSERT_EQ(RunHere(fetch + Path("shown.i32") + " --level 3").code, 0);
  ASSERT_EQ(RunHere(fetch + Path("placed.i32") + " --level 3 --x0 140 --y0 -160").code, 0);
  EXPECT_TRUE(read("shown.i32") == read("placed.i32"));
  // If the world has no showplace, the square is around the origin.
  EXPECT_EQ(RunHere("fetch --world alpine --size 60 --out " + Path("alpine.png")).code, 0);
}

TEST_F(CommandTest, FetchesFacesOfPlanetsToTheirLastVertices) {
  const auto read = [&](const std::string& place) {
    const Outcome outcome =
        RunHere("fetch --world planet --level 1 --format i32 --out " + Path("f.i32") + place);
    EXPECT_EQ(outcome.code, 0) << outcome.text;
    std::ifstream file(Path("f.i32"), std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(file), {});
    std::vector<std::int32_t> values(bytes.size() / 4);
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  };
  constexpr int kSide = 513;
  for (int face = 0; face < 6; ++face) {
    const auto values = read(" --x0 0 --y0 0 --size 513 --face " + std::to_string(face));
    ASSERT_EQ(values.size(), std::size_t{kSide} * kSide);
    for (int y = 0; y < kSide; ++y) {
      for (int x = 0; x < kSide; ++x) {
        ASSERT_EQ(values[static_cast<std::size_t>(y * kSide + x)],
                  client_test::PlanetTerrainAt(Layer::kHeight, 1, face, x, y));
      }
    }
    // A square of only the last vertex.
    EXPECT_EQ(read(" --x0 512 --y0 512 --size 1 --face " + std::to_string(face)),
              std::vector{values.back()});
  }
  // The twin: other faces have other ground.
  EXPECT_NE(read(" --x0 0 --y0 0 --size 9 --face 0"), read(" --x0 0 --y0 0 --size 9 --face 1"));
}

TEST_F(CommandTest, PlanetsNeedAFaceAndPlanesTakeNone) {
  const std::string fetch = "fetch --format i32 --x0 0 --y0 0 --level 1 --out " + Path("f.i32");
  EXPECT_THAT(RunHere(fetch + " --world planet --size 9").text,
              HasSubstr("--face is missing: expected 0 to 5"));
  EXPECT_THAT(RunHere(fetch + " --world alpine --size 9 --face 0").text,
              HasSubstr("--face 0 is given, but world 'alpine' is a plane"));
  EXPECT_EQ(RunHere(fetch + " --world planet --size 9 --face 6").code, 2);
  EXPECT_THAT(RunHere(fetch + " --world planet --size 514 --face 5").text,
              HasSubstr("invalid tile x: expected 0 to 1 at level 1"));
  EXPECT_EQ(Files(), 0U);
}

// The square is around the planet's showplace, at a level whose faces are large enough.
TEST_F(CommandTest, FetchesTheShowplaceOfPlanets) {
  const std::string fetch = "fetch --world planet --json --out " + Path("s.png");
  EXPECT_THAT(RunHere(fetch + " --size 100").text,
              AllOf(HasSubstr("\"level\":1,\"face\":2,"), HasSubstr("\"width\":100")));
  EXPECT_THAT(RunHere(fetch + " --size 1025").text, HasSubstr("\"level\":5,\"face\":2,"));
  EXPECT_THAT(RunHere(fetch + " --size 257 --level 0").text,
              HasSubstr("\"level\":0,\"face\":2,\"x0\":0,\"y0\":0,"));
  EXPECT_EQ(RunHere(fetch + " --size 258 --level 0").text,
            "thalweg: invalid --size: expected at most 257 at level 0, got 258\n");
}

TEST_F(CommandTest, DistinguishesPlanetsFromPlanes) {
  EXPECT_THAT(RunHere("info --world planet").text,
              AllOf(HasSubstr("planet       a sphere of 1737400 m radius"),
                    HasSubstr("vertices     0 to 256 x 2^level on each of 6 faces")));
  EXPECT_THAT(RunHere("info --world planet --json").text, HasSubstr("\"radius_m\":1737400"));
  EXPECT_THAT(RunHere("info --world alpine --json").text, Not(HasSubstr("radius_m")));
}

TEST_F(CommandTest, DrawsPlanetsFromOrbit) {
  const std::string fetch = "fetch --size 120 --json --out " + Path("o.png");
  for (const char* format : {"hillshade", "satellite"}) {
    const Outcome outcome =
        RunHere(fetch + " --world planet --disc=-89.5,-170 --no-label --format " + format);
    ASSERT_EQ(outcome.code, 0) << outcome.text;
    EXPECT_THAT(outcome.text, AllOf(HasSubstr("\"level\":0"), HasSubstr("\"width\":120")));
    png_image image = {};
    image.version = PNG_IMAGE_VERSION;
    ASSERT_NE(png_image_begin_read_from_file(&image, Path("o.png").c_str()), 0);
    image.format = PNG_FORMAT_RGB;
    std::vector<png_byte> bytes(PNG_IMAGE_SIZE(image));
    ASSERT_NE(png_image_finish_read(&image, nullptr, bytes.data(), 0, nullptr), 0);
    const auto brightness = [&](int x, int y) {
      const auto at = 3 * (static_cast<std::size_t>(y) * 120 + static_cast<std::size_t>(x));
      return bytes[at] + bytes[at + 1] + bytes[at + 2];
    };
    // The corners show sky, the whole disc shows ground.
    EXPECT_LT(brightness(0, 0), 60);
    EXPECT_LT(brightness(119, 119), 60);
    int dark = 0;
    for (int y = 0; y < 120; ++y) {
      for (int x = 0; x < 120; ++x) {
        if (std::hypot(x - 59.5, y - 59.5) < 50) dark += brightness(x, y) < 60 ? 1 : 0;
      }
    }
    EXPECT_EQ(dark, 0) << format;
  }
  fs::remove(Path("o.png"));
  EXPECT_THAT(RunHere(fetch + " --world alpine --disc 0,0").text,
              HasSubstr("--disc is given, but world 'alpine' is a plane"));
  for (const char* wrong : {"91,0", "0,181", "0", "nan,0", "0,0 --size 4097", "0,0 --format i32",
                            "0,0 --layer slope", "0,0 --level 1 --x0 0 --y0 0"}) {
    EXPECT_EQ(RunHere("fetch --out " + Path("o.png") + " --world planet --disc=" + wrong).code, 2)
        << wrong;
  }
  EXPECT_EQ(Files(), 0U);
}

TEST_F(CommandTest, DrawsTheLandFromAbove) {
  const Outcome outcome =
      RunHere("fetch --world islands --size 64 --format satellite --out " + Path("above.png"));
  EXPECT_EQ(outcome.code, 0) << outcome.text;
  const auto request = server_.stream_requests().front();
  EXPECT_THAT(request.layers(),
              ::testing::IsSupersetOf({int{v1::LAYER_COVER}, int{v1::LAYER_WATER_DEPTH}}));
  EXPECT_GT(fs::file_size(Path("above.png")), 1'000U);
}

TEST_F(CommandTest, SaysWhatIsWrongWithARaster) {
  std::ofstream(Path("text.tif")) << "no raster";
  const Outcome outcome = Run("survey --raster " + Path("text.tif"));
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.text, StartsWith("thalweg: invalid raster '"));
}

TEST_F(CommandTest, SurveysTheServersTerrain) {
  const auto client = Client::Connect(server_.address());
  ASSERT_TRUE(client.ok()) << client.status();
  const auto world = (*client)->GetWorld("islands");
  ASSERT_TRUE(world.ok()) << world.status();
  const cli::SurveyArguments arguments{
      .world = "islands", .level = 3, .x0 = -301, .y0 = -16, .size = 64};
  const survey::Grid<double> ground_m = GridAt(Layer::kHeight, 3, -301, -16, 65, 65);
  const survey::Report report =
      survey::Measure({.ground_m = ground_m,
                       .cell_size_m = 64,
                       .sea_level_m = 0,
                       .water_m = GridAt(Layer::kWaterLevel, 3, -301, -16, 65, 65),
                       .wash_load_m = GridAt(Layer::kWashLoad, 3, -301, -16, 65, 65),
                       .uplift_m = GridAt(Layer::kUplift, 3, -301, -16, 65, 65),
                       .parent_difference = survey::DifferenceOf(survey::SubtractParent(
                           ground_m, GridAt(Layer::kHeight, 2, -150, -8, 32, 33), 1, 0)),
                       .talus_deg = 36.5});
  const std::string survey = "survey --world islands --level 3 --x0 -301 --y0 -16 --size 64";
  for (const bool json : {false, true}) {
    const Outcome outcome = RunHere(survey + (json ? " --json" : ""));
    EXPECT_EQ(outcome.code, 0);
    EXPECT_EQ(outcome.text, cli::SurveyText(cli::LandOf(arguments, *world), report, json));
  }
  EXPECT_EQ(server_.stream_requests().front().precision(), v1::PRECISION_EXACT);
  // The twin: a difference of one unit at one vertex is found.
  server_.faults.altered_tiles = 1;
  EXPECT_NE(RunHere(survey + " --json").text,
            cli::SurveyText(cli::LandOf(arguments, *world), report, true));
}

TEST_F(CommandTest, SurveysTheCoarsestLevelWithoutAParent) {
  const Outcome outcome = RunHere("survey --world alpine --level 0 --x0 0 --y0 0 --size 64 --json");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.text, HasSubstr("\"parent_difference\":null"));
  EXPECT_EQ(server_.stream_requests().size(), 1U);
}

// At a corner of the cube, where the square lies on three faces.
TEST_F(CommandTest, SurveysAPlanetAnywhere) {
  constexpr double kCornerDeg = 35.26438968;
  const Outcome outcome = RunHere(absl::StrFormat(
      "survey --world planet --level 3 --at %.8f,45 --size 128 --json", kCornerDeg));
  ASSERT_EQ(outcome.code, 0) << outcome.text;
  const auto report = nlohmann::json::parse(outcome.text);
  const sphere::Vector middle = sphere::PointOf(sphere::LatLong{kCornerDeg, 45});
  const globe::CellSides cells = globe::CellSidesAt(middle, 3, kPlanetRadiusM);
  EXPECT_EQ(report["cell_size_m"], cells.shortest_m);
  EXPECT_EQ(report["cell_sides_m"], (std::vector<double>{cells.shortest_m, cells.longest_m}));
  const globe::Square square(middle, {-1, 1, 0}, 129, cells.shortest_m, kPlanetRadiusM);
  survey::Terrain terrain{.ground_m = survey::FilledGrid(129, 129, 0.0),
                          .cell_size_m = cells.shortest_m};
  for (int y = 0; y < 129; ++y) {
    for (int x = 0; x < 129; ++x) {
      terrain.ground_m.At(x, y) = PlanetTerrainAt(Layer::kHeight, square.PointAt(x, y)) / 65536.0;
    }
  }
  const survey::Report expected = survey::Measure(terrain);
  EXPECT_NEAR(report["height_m"]["min"], expected.hypsometry.min_m, 0.01);
  EXPECT_NEAR(report["height_m"]["max"], expected.hypsometry.max_m, 0.01);
  EXPECT_NEAR(report["height_m"]["mean"], expected.hypsometry.mean_m, 0.01);
  EXPECT_NEAR(report["slope_deg"]["p50"], expected.slopes.percentiles_deg[2], 1e-3);
  // The planet's terrain is the same on all levels.
  EXPECT_EQ(report["parent_difference"]["max_cells"], 0);
  EXPECT_NEAR(report["mass_balance_mm"]["wash_load"],
              1000 * (expected.hypsometry.mean_m + int{v1::LAYER_WASH_LOAD}), 2000);
}

TEST_F(CommandTest, SaysHowToSurveyAPlanet) {
  const std::string planet = "survey --world planet --level 3 --size 64 ";
  EXPECT_EQ(RunHere(planet + "--x0 0 --y0 0").text,
            "thalweg: --x0 is given, but world 'planet' is a planet: use --at\n");
  EXPECT_EQ(RunHere("survey --world alpine --level 3 --size 64 --at 1,2").text,
            "thalweg: --at is given, but world 'alpine' is a plane: use --x0 and --y0\n");
  EXPECT_EQ(RunHere("survey --world planet --level 0 --size 64 --at 0,0").code, 0);
  EXPECT_THAT(RunHere("survey --world planet --level 0 --size 256 --at 0,0").text,
              HasSubstr("invalid --size: expected at most "));
  EXPECT_THAT(Run(planet + "--at 91,0").text,
              HasSubstr("invalid --at: expected LAT,LON with LAT of -90 to 90"));
  EXPECT_THAT(Run(planet + "--at 1,2 --x0 3").text, HasSubstr("--at"));
  EXPECT_THAT(Run(planet).text,
              HasSubstr("a place is missing: expected --x0 and --y0 on a plane, --at on a planet"));
}

TEST_F(CommandTest, SaysOnOneLineWhyASurveyFailed) {
  const std::string rest = " --level 3 --x0 0 --y0 0 --size 64";
  EXPECT_EQ(RunHere("survey --world alps" + rest).text,
            "thalweg: get world 'alps': unknown world; there are alpine and islands\n");
  for (const std::string& arguments :
       {std::string("--level 12 --x0 0"), std::string("--level 3 --x0 281474976710650")}) {
    const Outcome outcome = RunHere("survey --world alpine --y0 0 --size 64 " + arguments);
    EXPECT_EQ(outcome.code, 1);
    EXPECT_EQ(std::count(outcome.text.begin(), outcome.text.end(), '\n'), 1) << outcome.text;
    EXPECT_THAT(outcome.text, StartsWith("thalweg: "));
  }
  server_.faults.corrupt_tiles = 1;
  EXPECT_THAT(RunHere("survey --world alpine" + rest).text, HasSubstr("layer height"));
}

TEST_F(CommandTest, FetchesEveryLayerRaw) {
  for (const LayerDescription& layer : AllLayers()) {
    const std::string out = Path("l.i32");
    const Outcome outcome =
        RunHere("fetch --world islands --level 3 --x0 5 --y0 -6 --size 40 --out " + out +
                " --layer " + std::string(layer.name));
    ASSERT_EQ(outcome.code, 0) << outcome.text;
    EXPECT_THAT(outcome.text, HasSubstr(std::string(layer.name)));
    std::vector<std::int32_t> values(40 * 40);
    std::ifstream file(out, std::ios::binary);
    file.read(reinterpret_cast<char*>(values.data()), 40 * 40 * 4);
    ASSERT_EQ(file.gcount(), 40 * 40 * 4);
    EXPECT_EQ(values[41], TerrainAt(layer.layer, 3, 6, -5)) << layer.name;
    // The command has asked for only one layer.
    ASSERT_EQ(server_.stream_requests().back().layers_size(), 1) << layer.name;
  }
}

// A picture of heights shows water if the world has some. Otherwise it does not ask for water.
TEST_F(CommandTest, DrawsTheWaterOfTheWorld) {
  const std::string place = " --level 3 --x0 1 --y0 2 --size 64 --out " + Path("w.png");
  ASSERT_EQ(RunHere("fetch --world islands" + place).code, 0);
  EXPECT_THAT(server_.stream_requests().back().layers(),
              testing::ElementsAre(v1::LAYER_HEIGHT, v1::LAYER_WATER_DEPTH));
  ASSERT_EQ(RunHere("fetch --world alpine" + place).code, 0);
  EXPECT_THAT(server_.stream_requests().back().layers(), testing::ElementsAre(v1::LAYER_HEIGHT));
}

TEST_F(CommandTest, PrintsUnits) {
  const std::string place =
      "fetch --world islands --level 3 --x0 1 --y0 2 --size 64 --json --out " + Path("u.i32");
  EXPECT_THAT(RunHere(place + " --layer water-depth").text, HasSubstr("\"unit\":\"m\",\"min_m\":"));
  EXPECT_THAT(RunHere(place + " --layer shore-direction").text, HasSubstr("\"min_deg\":"));
  EXPECT_THAT(RunHere(place + " --layer slope").text, HasSubstr("\"unit\":\"\",\"min\":"));
  EXPECT_THAT(RunHere(place + " --layer normal").text, testing::Not(HasSubstr("\"min")));
}

TEST_F(CommandTest, NamesTheLayersOfAWorldThatLacksOne) {
  const Outcome outcome =
      RunHere("fetch --world alpine --level 3 --x0 0 --y0 0 --size 64 --layer vegetation --out " +
              Path("v"));
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.text,
            "thalweg: invalid --layer: expected one that world 'alpine' has, height, flow, "
            "wash-load, uplift, got vegetation\n");
  EXPECT_TRUE(server_.stream_requests().empty());
  EXPECT_EQ(Files(), 0U);
}

TEST_F(CommandTest, LeavesNoFileAfterAFailure) {
  server_.faults.corrupt_tiles = 1;
  const Outcome outcome = RunHere("fetch --world alpine --level 3 --x0 0 --y0 0 --size 600 --out " +
                                  Path("broken.png"));
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.text, HasSubstr("layer height"));
  EXPECT_EQ(Files(), 0U);
}

TEST_F(CommandTest, SaysWhereItCannotWrite) {
  const std::string fetch = "fetch --world alpine --level 3 --x0 0 --y0 0 --size 64 --out ";
  const Outcome missing = RunHere(fetch + Path("missing/a.png"));
  EXPECT_EQ(missing.code, 1);
  EXPECT_EQ(missing.text,
            "thalweg: write '" + Path("missing/a.png") + "': No such file or directory\n");
  // The error comes before anything is computed.
  EXPECT_TRUE(server_.stream_requests().empty());
  const std::string fetch_full = fetch + "/dev/full --format ";
  for (const std::string& format : {std::string("hillshade"), std::string("i32")}) {
    const Outcome full = RunHere(fetch_full + format);
    EXPECT_EQ(full.code, 1);
    EXPECT_EQ(full.text, "thalweg: write '/dev/full': No space left on device\n");
  }
  EXPECT_EQ(RunHere("worlds > /dev/full").code, 1);
}

TEST_F(CommandTest, CoordinatesOutOfRangeAreAnError) {
  const Outcome outcome = RunHere(
      "fetch --world alpine --level 3 --x0 281474976710650 --y0 0 --size 64 --out " + Path("a"));
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.text, HasSubstr("invalid tile x: expected "));
  EXPECT_EQ(Files(), 0U);
}

TEST_F(CommandTest, FliesAndReportsWhatCouldBeDrawn) {
  const std::string fly = "fly --world alpine --seconds 1 --speed 200 --viewport 240";
  const Outcome table = RunHere(fly + " --picture " + Path("flight.png"));
  ASSERT_EQ(table.code, 0) << table.text;
  for (const char* line : {"complete, no cracks", "finest after the stop    after",
                           "from the server", "with cracks              0 (0.0 %)"}) {
    EXPECT_THAT(table.text, HasSubstr(line));
  }
  EXPECT_GT(fs::file_size(Path("flight.png")), 10'000U);

  const Outcome json = RunHere(fly + " --json --cache " + Path("cache"));
  ASSERT_EQ(json.code, 0) << json.text;
  EXPECT_THAT(json.text, StartsWith("{\"world\":\"alpine\""));
  EXPECT_THAT(json.text, HasSubstr("\"cracked\":0,"));
  EXPECT_THAT(json.text, HasSubstr("\"intervals\":{\"begin_s\":[0"));
  EXPECT_THAT(json.text, EndsWith("}\n"));
  // The next flight finds the tiles of the last one.
  EXPECT_THAT(RunHere(fly + " --json --cache " + Path("cache")).text,
              AllOf(HasSubstr("\"disk_reads\":"), Not(HasSubstr("\"disk_reads\":0,"))));
}

TEST_F(CommandTest, AFlightWithoutACompleteSetFails) {
  server_.sessions.faults.silent = 100;
  const Outcome outcome = RunHere("fly --world alpine --seconds 1 --speed 10 --patience 0.2");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(
      outcome.text,
      StartsWith("thalweg: fly over 'alpine': after 0.2 s the complete set of tiles still lacks "));
  EXPECT_EQ(RunHere("fly --world alps --seconds 1 --speed 10").code, 1);
  EXPECT_EQ(RunHere("fly --world alpine --seconds 1").code, 2);
}

}  // namespace
}  // namespace thalweg
