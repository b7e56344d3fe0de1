// `thalweg bake`, against servers in this process. GDAL must be installed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "client/tools/raster/raster_sink.h"
#include "tests/client/fake_server.h"
#include "tests/client/shell.h"
#include "tests/size.h"

namespace thalweg {
namespace {

namespace fs = std::filesystem;
using client_test::FakeServer;
using client_test::Outcome;
using client_test::Shell;
using client_test::TerrainAt;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr int kX0 = -1300;
constexpr int kY0 = 900;
constexpr int kSide = 1009;

class BakeCommandTest : public testing::Test {
 protected:
  BakeCommandTest() {
    std::string name = (fs::temp_directory_path() / "thalweg-bake-command-XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~BakeCommandTest() override { fs::remove_all(folder_); }

  std::string Path(const std::string& name) const { return (folder_ / name).string(); }
  Outcome Run(const std::string& arguments, const std::string& environment = "",
              const std::string& world = "alpine") const {
    return Shell(environment + " " THALWEG " bake --world " + world + " --level 3 --server " +
                 server_.address() + "," + other_.address() + " " + arguments);
  }
  // Bakes the square of the world that has every layer.
  Outcome RunOnIslands(const std::string& arguments) const {
    return Run(Square() + arguments, "", "islands");
  }
  static std::string Square() {
    return " --x0 " + std::to_string(kX0) + " --y0 " + std::to_string(kY0) + " --width " +
           std::to_string(kSide) + " --height " + std::to_string(kSide) + " ";
  }
  template <typename Value>
  std::vector<Value> Read(const std::string& name) const {
    std::ifstream file(Path(name), std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), {});
    std::vector<Value> values(bytes.size() / sizeof(Value));
    std::memcpy(values.data(), bytes.data(), values.size() * sizeof(Value));
    return values;
  }
  static std::vector<std::int32_t> Terrain(Layer layer = Layer::kHeight) {
    std::vector<std::int32_t> values;
    for (int y = 0; y < kSide; ++y) {
      for (int x = 0; x < kSide; ++x) values.push_back(TerrainAt(layer, 3, kX0 + x, kY0 + y));
    }
    return values;
  }

  FakeServer server_;
  FakeServer other_;
  fs::path folder_;
};

TEST_F(BakeCommandTest, TheFileIsExactAndNoPartsRemain) {
  const Outcome outcome = Run(Square() + "--out " + Path("a.i32"));
  ASSERT_EQ(outcome.code, 0) << outcome.text;
  EXPECT_TRUE(Read<std::int32_t>("a.i32") == Terrain());
  EXPECT_FALSE(fs::exists(Path("a.i32.bake")));
  EXPECT_TRUE(fs::exists(Path("a.i32.json")));
}

TEST_F(BakeCommandTest, ShardsMakeTheSameFile) {
  const std::string bake = Square() + "--shards 3 --out " + Path("s.i32") + " ";
  EXPECT_EQ(Run(bake + "--merge").code, 1);
  EXPECT_EQ(Run(bake + "--shard 0").code, 0);
  EXPECT_EQ(Run(bake, "SLURM_ARRAY_TASK_ID=1").code, 0);
  EXPECT_THAT(Run(bake + "--merge").text, HasSubstr(": run the same bake again"));
  EXPECT_EQ(Run(bake, "JOB_COMPLETION_INDEX=2").code, 0);
  const Outcome merged = Run(bake + "--merge");
  ASSERT_EQ(merged.code, 0) << merged.text;
  EXPECT_TRUE(Read<std::int32_t>("s.i32") == Terrain());
}

TEST_F(BakeCommandTest, SixteenBitValuesSpanTheRange) {
  ASSERT_EQ(Run(Square() + "--for unreal --out " + Path("h.r16")).code, 0);
  const auto samples = Read<std::uint16_t>("h.r16");
  const auto terrain = Terrain();
  const auto [least, most] = std::ranges::minmax_element(terrain);
  ASSERT_EQ(samples.size(), terrain.size());
  for (std::size_t i = 0; i < samples.size(); i += 101) {
    EXPECT_EQ(samples[i], raster_file::Quantised(terrain[i], *least, *most));
  }
  const double step = (static_cast<double>(*most) - *least) / 65535;
  for (std::size_t i = 0; i < samples.size(); i += 101) {
    EXPECT_NEAR(*least + samples[i] * step, terrain[i], 0.5 * step + 1e-6);
  }
}

// Unity reads a file's first row as the southernmost.
TEST_F(BakeCommandTest, UnityRowsBeginInTheSouth) {
  const std::string region = " --x0 " + std::to_string(kX0) + " --y0 " + std::to_string(kY0) +
                             " --width 129 --height 65 --tile 65 --for unity ";
  ASSERT_EQ(Run(region + "--range 0,3000 --out " + Path("u.raw")).code, 0);
  const auto west = Read<std::uint16_t>("u_0_0.raw");
  ASSERT_EQ(west.size(), 65U * 65U);
  EXPECT_TRUE(fs::exists(Path("u_1_0.raw")));
  for (const auto& [x, y] : {std::pair{0, 0}, {64, 0}, {3, 64}}) {
    const std::int32_t height = TerrainAt(Layer::kHeight, 3, kX0 + x, kY0 + y);
    EXPECT_EQ(west[static_cast<std::size_t>((64 - y) * 65 + x)],
              raster_file::Quantised(height, 0, 3000 << 16));
  }
  std::ifstream sidecar(Path("u_0_0.raw.json"));
  const std::string text(std::istreambuf_iterator<char>(sidecar), {});
  EXPECT_THAT(text, HasSubstr("\"rows\":\"from south\""));
  EXPECT_THAT(text, HasSubstr("\"unity\":{\"depth\":\"16 bit\",\"byte_order\":\"Windows\","
                              "\"flip_vertically\":false,\"resolution\":65,"
                              "\"terrain_size_m\":[4096,3000,4096],\"position_y_m\":0}"));
}

// Two rows of squares are counted from the south.
TEST_F(BakeCommandTest, UnitysSquaresAreCountedFromTheSouth) {
  ASSERT_EQ(
      Run(" --x0 0 --y0 0 --width 33 --height 65 --tile 33 --for unity --out " + Path("s.raw"))
          .code,
      0);
  const auto south = Read<std::uint16_t>("s_0_0.raw");
  const auto north = Read<std::uint16_t>("s_0_1.raw");
  ASSERT_EQ(south.size(), 33U * 33U);
  ASSERT_EQ(north.size(), 33U * 33U);
  for (std::size_t x = 0; x < 33; ++x) EXPECT_EQ(south[32 * 33 + x], north[x]);
}

// With the numbers of the sidecar Unreal's formula gives the heights to half a step.
TEST_F(BakeCommandTest, UnrealsScaleGivesTheHeights) {
  ASSERT_EQ(Run(Square() + "--for unreal --out " + Path("n.r16")).code, 0);
  const auto samples = Read<std::uint16_t>("n.r16");
  const auto terrain = Terrain();
  std::ifstream sidecar(Path("n.r16.json"));
  const std::string text(std::istreambuf_iterator<char>(sidecar), {});
  const std::size_t scale_at = text.find("\"unreal\":{\"scale\":[6400,6400,");
  ASSERT_NE(scale_at, std::string::npos) << text;
  const double scale = std::stod(text.substr(scale_at + 29));
  const double location_cm = std::stod(text.substr(text.find("\"location_z_cm\":") + 16));
  const auto [least, most] = std::ranges::minmax_element(terrain);
  const double step_m = (static_cast<double>(*most) - *least) / 65536 / 65535;
  for (std::size_t i = 0; i < samples.size(); i += 101) {
    const double z_cm = (samples[i] - 32768) / 128.0 * scale + location_cm;
    EXPECT_NEAR(z_cm / 100, terrain[i] / 65536.0, 0.5 * step_m + 1e-6);
  }
}

TEST_F(BakeCommandTest, GeotiffsAreCompressedAsAsked) {
  for (const auto& [option, name] :
       {std::pair("", "DEFLATE"), {"--compress zstd ", "ZSTD"}, {"--compress lerc ", "LERC"}}) {
    for (const char* format : {"cog", "geotiff"}) {
      ASSERT_EQ(Run(Square() + option + "--format " + format + " --out " + Path("c.tif")).code, 0);
      EXPECT_THAT(Shell("gdalinfo " + Path("c.tif")).text,
                  HasSubstr(std::string("COMPRESSION=") + name))
          << format;
    }
  }
  ASSERT_EQ(Run(Square() + "--compress none --format geotiff --out " + Path("c.tif")).code, 0);
  EXPECT_THAT(Shell("gdalinfo " + Path("c.tif")).text, Not(HasSubstr("COMPRESSION=")));
  EXPECT_EQ(Run(Square() + "--compress none --out " + Path("c.png")).code, 2);
}

// GDAL's own tools read the written files.
TEST_F(BakeCommandTest, GeotiffsAreGeoreferenced) {
  const std::string place = "--crs EPSG:32632 --origin 600000,5200000 ";
  const Outcome outcome = Run(Square() + place + "--layer height,flow --out " + Path("m.tif"));
  ASSERT_EQ(outcome.code, 0) << outcome.text;
  const Outcome info = Shell("gdalinfo -stats " + Path("m-height.tif"));
  ASSERT_EQ(info.code, 0) << info.text;
  EXPECT_THAT(info.text, HasSubstr("Size is 1009, 1009"));
  EXPECT_THAT(info.text, HasSubstr("WGS 84 / UTM zone 32N"));
  EXPECT_THAT(info.text, HasSubstr("AREA_OR_POINT=Point"));
  EXPECT_THAT(info.text, HasSubstr("LAYOUT=COG"));
  EXPECT_THAT(info.text, HasSubstr("Unit Type: m"));
  EXPECT_THAT(info.text, HasSubstr("specification={\"name\":\"alpine\""));
  EXPECT_THAT(Shell("gdalinfo " + Path("m-flow.tif")).text, HasSubstr("layer=flow"));
  // The value of a vertex is at its coordinates.
  const double cell = 512.0 / 8;
  const Outcome at =
      Shell("gdallocationinfo -valonly -geoloc " + Path("m-height.tif") + " " +
            std::to_string(600000 + 17 * cell) + " " + std::to_string(5200000 - 5 * cell));
  EXPECT_NEAR(std::stod(at.text), TerrainAt(Layer::kHeight, 3, kX0 + 17, kY0 + 5) / 65536.0, 1e-3)
      << at.text;
}

// The unit of POSIX's `ulimit -f`.
constexpr std::uintmax_t kUlimitBlock = 512;

// The limit of a file's size (ulimit -f) stands in for a disk that becomes full while the parts are
// merged: to write more is an error of the system, as it is there.
TEST_F(BakeCommandTest, AFullDiskKeepsTheFinishedParts) {
  for (const std::string name :
       {"d.tif", "d.png", "d.i32", "d.mbtiles", "d.pmtiles", "d.gpkg", "d.geojson"}) {
    SCOPED_TRACE(name);
    const std::string bake = Square() + (name == "d.png" ? "--for unreal " : "") +
                             "--shards 2 --out " + Path(name) + " ";
    const auto bake_parts = [&] {
      for (const char* shard : {"--shard 0", "--shard 1"}) {
        const Outcome baked = Run(bake + shard);
        ASSERT_EQ(baked.code, 0) << baked.text;
      }
    };
    bake_parts();
    ASSERT_EQ(Run(bake + "--merge").code, 0);
    const auto whole = fs::file_size(Path(name));
    int failed = 0;
    const auto sizes = FewOrAll<std::uintmax_t>(2, 40);
    // The last one is too small only for what is written when the file is closed.
    for (std::uintmax_t n = 0; n <= sizes; ++n) {
      SCOPED_TRACE(n);
      const std::uintmax_t size = n < sizes ? (2 * n + 1) * whole / (2 * sizes) : whole - 1;
      fs::remove(Path(name));
      bake_parts();
      const std::string limit = "ulimit -f " + std::to_string(size / kUlimitBlock);
      const Outcome full = Run(bake + "--merge", limit + "; trap '' XFSZ;");
      if (full.code != 0) {
        ++failed;
        EXPECT_FALSE(fs::exists(Path(name))) << full.text;
        const Outcome again = Run(bake + "--merge");
        EXPECT_EQ(again.code, 0) << full.text << again.text;
      }
      EXPECT_EQ(fs::file_size(Path(name)), whole) << full.text;
    }
    EXPECT_GT(failed, 0) << "no size was too small";
  }
}

// At every vertex, the weights of all classes together give the whole.
TEST_F(BakeCommandTest, WeightsComeFromTheCover) {
  const Outcome splat = RunOnIslands("--format splat --out " + Path("s.png"));
  ASSERT_EQ(splat.code, 0) << splat.text;
  const Outcome weights = RunOnIslands("--format weights --out " + Path("w.png"));
  ASSERT_EQ(weights.code, 0) << weights.text;
  const auto values = [&](const std::string& file, int x, int y) {
    const Outcome at = Shell("gdallocationinfo -valonly " + Path(file) + " " + std::to_string(x) +
                             " " + std::to_string(y));
    std::istringstream lines(at.text);
    return std::vector<int>(std::istream_iterator<int>(lines), {});
  };
  for (const int at : {0, 77, 1008}) {
    std::vector<int> channels;
    for (const char* file : {"s-0.png", "s-1.png", "s-2.png", "s-3.png"}) {
      const auto four = values(file, at, 1008 - at);
      EXPECT_EQ(four.size(), 4U);
      channels.insert(channels.end(), four.begin(), four.end());
    }
    int sum = 0;
    for (int cover = 0; cover < kCovers; ++cover) {
      int weight = 0;
      for (const CoverPart& part :
           UnpackCover(TerrainAt(Layer::kCover, 3, kX0 + at, kY0 + 1008 - at))) {
        if (static_cast<int>(part.cover) == cover) weight += part.weight;
      }
      EXPECT_EQ(channels[static_cast<std::size_t>(cover)], weight);
      const std::string name = "w-" + CoverName(static_cast<Cover>(cover)) + ".png";
      EXPECT_EQ(values(name, at, 1008 - at), std::vector{weight}) << name;
      sum += weight;
    }
    EXPECT_EQ(sum, 255);
  }
  EXPECT_THAT(RunOnIslands("--format splat --layer height --out " + Path("e.png")).text,
              HasSubstr("expected cover"));
  EXPECT_THAT(RunOnIslands("--layer cover --out " + Path("e.tif")).text,
              HasSubstr("expected raw32, splat or weights"));
}

TEST_F(BakeCommandTest, BadInputIsNamed) {
  const std::string out = " --out " + Path("e.tif");
  const auto error = [&](const std::string& arguments) {
    const Outcome outcome = Run(arguments + out);
    EXPECT_NE(outcome.code, 0) << arguments;
    return outcome.text;
  };
  const auto engine_error = [&](const std::string& arguments) {
    const Outcome outcome = Run("--x0 0 --y0 0 " + arguments);
    EXPECT_NE(outcome.code, 0) << arguments;
    return outcome.text;
  };
  EXPECT_THAT(engine_error("--width 1000 --height 1000 --for unreal --out " + Path("e.raw")),
              HasSubstr("such as 505 or 1009 vertices on a side, got 1000 x 1000"));
  EXPECT_THAT(engine_error("--width 8161 --height 8129 --for unreal --out " + Path("e.png")),
              HasSubstr("got 8161 x 8129"));
  EXPECT_THAT(engine_error("--width 1000 --height 1000 --for unity --out " + Path("e.raw")),
              HasSubstr("such as 513 or 1025"));
  EXPECT_THAT(engine_error("--width 513 --height 513 --for unity --out " + Path("e.tif")),
              HasSubstr("--format: expected raw16, png16, splat or weights, which Unity imports"));
  EXPECT_THAT(engine_error("--width 513 --height 513 --for unity --out " + Path("e.r16")),
              HasSubstr("--out: expected a name that ends with .raw, which Unity reads"));
  EXPECT_THAT(
      engine_error("--width 505 --height 505 --format raw16 --for unreal --out " + Path("e.bin")),
      HasSubstr("--out: expected a name that ends with .raw or .r16"));
  EXPECT_THAT(error("--x0 0 --y0 0 --width 0 --height 9"), HasSubstr("invalid width"));
  EXPECT_THAT(error("--bounds=0,0,-5,9"),
              HasSubstr("invalid --bounds: expected W,N,E,S with W below E"));
  EXPECT_THAT(error("--bounds=0,0,1e300,9"), HasSubstr("invalid --bounds"));
  EXPECT_THAT(error("--bounds=0,0,5"), HasSubstr("expected 4 numbers"));
  EXPECT_THAT(error("--x0 0 --y0 0 --width 9"), HasSubstr("--height"));
  EXPECT_THAT(error(Square() + "--crs EPSG:4326 --origin 1,2"), HasSubstr("in degrees"));
  EXPECT_THAT(error(Square() + "--crs EPSG:99999999 --origin 1,2"), HasSubstr("that GDAL knows"));
  EXPECT_THAT(error(Square() + "--crs EPSG:32632"), HasSubstr("--origin"));
  EXPECT_THAT(error(Square() + "--shards 3 --shard 3"), HasSubstr("expected 0 to 2"));
  EXPECT_THAT(error(Square() + "--range 5,2"), HasSubstr("MIN below MAX"));
  EXPECT_THAT(error(Square() + "--layer snow"), HasSubstr("snow"));
  EXPECT_FALSE(fs::exists(Path("e.tif")));
  EXPECT_TRUE(fs::is_empty(folder_)) << "something was left";
}

// A plan leaves nothing behind, so the next one may be of another bake; parts that a bake has
// fetched stay.
TEST_F(BakeCommandTest, ThePlanTimesAFewParts) {
  const std::string bake =
      "--x0 0 --y0 0 --width 5000 --height 3000 --shards 2 --out " + Path("p.i32") + " ";
  const Outcome plan = Run(bake + "--plan");
  ASSERT_EQ(plan.code, 0) << plan.text;
  EXPECT_THAT(plan.text, HasSubstr("5000 x 3000 vertices"));
  EXPECT_THAT(plan.text, HasSubstr("15 parts"));
  EXPECT_THAT(plan.text, HasSubstr("from 2 servers, by 4 parts"));
  EXPECT_THAT(plan.text, HasSubstr("0.06 GB of files"));
  EXPECT_THAT(Run(bake + "--plan --json").text, HasSubstr("\"seconds_per_shard\":"));
  EXPECT_FALSE(fs::exists(Path("p.i32.bake")));
  const Outcome other =
      Run("--x0 9 --y0 0 --width 3000 --height 3000 --plan --out " + Path("p.i32"));
  EXPECT_EQ(other.code, 0) << other.text;
  ASSERT_EQ(Run(bake + "--shard 1").code, 0);
  const auto files = [&] {
    return std::distance(fs::directory_iterator(Path("p.i32.bake")), fs::directory_iterator());
  };
  const auto of_shard = files();
  EXPECT_EQ(Run(bake + "--plan").code, 0);
  EXPECT_GE(files(), of_shard);
}

TEST_F(BakeCommandTest, ServersOfDifferentTerrainAreRefused) {
  other_.lies.world = [](v1::World& world) { world.set_generator_version(99); };
  const Outcome outcome = Run(Square() + "--out " + Path("d.i32"));
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.text, HasSubstr("invalid --server: expected the same world"));
}

TEST_F(BakeCommandTest, VerifyFindsDifferences) {
  const std::string bake = Square() + "--keep-parts --out " + Path("v.i32");
  ASSERT_EQ(Run(bake).code, 0);
  const Outcome same = Run(bake + " --verify 9");
  EXPECT_EQ(same.code, 0) << same.text;
  EXPECT_THAT(same.text, HasSubstr("verified 4 parts"));
  server_.faults.altered_tiles = 1000;
  other_.faults.altered_tiles = 1000;
  const Outcome differs = Run(bake + " --verify 9");
  EXPECT_EQ(differs.code, 1);
  EXPECT_THAT(differs.text, HasSubstr("computes; bake it again"));
}

TEST_F(BakeCommandTest, SquaresShareEdgesAndRange) {
  const std::string region = " --x0 " + std::to_string(kX0) + " --y0 " + std::to_string(kY0) +
                             " --width 1009 --height 505 --tile 505 ";
  const Outcome outcome = Run(region + "--for unreal --out " + Path("w.r16"));
  ASSERT_EQ(outcome.code, 0) << outcome.text;
  const auto west = Read<std::uint16_t>("w_x0_y0.r16");
  const auto east = Read<std::uint16_t>("w_x1_y0.r16");
  ASSERT_EQ(west.size(), 505U * 505U);
  ASSERT_EQ(east.size(), 505U * 505U);
  for (std::size_t row = 0; row < 505; ++row) {
    EXPECT_EQ(west[row * 505 + 504], east[row * 505]);
  }
  // With exact values, each square equals its part of the region.
  ASSERT_EQ(Run(region + "--out " + Path("x.i32")).code, 0);
  const auto square = Read<std::int32_t>("x_x1_y0.i32");
  for (int y = 0; y < 505; y += 7) {
    for (int x = 0; x < 505; x += 7) {
      ASSERT_EQ(square[static_cast<std::size_t>(y * 505 + x)],
                TerrainAt(Layer::kHeight, 3, kX0 + 504 + x, kY0 + y));
    }
  }
  EXPECT_THAT(
      Run(" --x0 0 --y0 0 --width 1010 --height 505 --tile 505 --out " + Path("y.r16")).text,
      HasSubstr("invalid --width: expected squares of 505 vertices that share their edges, such "
                "as 1009 or 1513 vertices, got 1010"));
  EXPECT_EQ(Run(region + "--out " + Path("y.gpkg")).code, 2);
}

TEST_F(BakeCommandTest, OverviewsAreMeansOrCoarserLevels) {
  const std::string region = " --x0 -1301 --y0 901 --width 1203 --height 700 ";
  ASSERT_EQ(Run(region + "--out " + Path("means.tif")).code, 0);
  ASSERT_EQ(Run(region + "--overviews levels --out " + Path("levels.tif")).code, 0);
  EXPECT_THAT(Shell("gdalinfo " + Path("means.tif")).text, HasSubstr("overviews=means of 2 x 2"));
  EXPECT_THAT(Shell("gdalinfo " + Path("levels.tif")).text,
              HasSubstr("overviews=the levels 2 to 1"));
  // A pixel of an overview has the coarser level's value in the pixel's middle.
  const auto pixel = [&](const std::string& file, int overview, int x, int y) {
    const Outcome read =
        Shell("gdallocationinfo -valonly -overview " + std::to_string(overview) + " " + Path(file) +
              " " + std::to_string(x << overview) + " " + std::to_string(y << overview));
    EXPECT_EQ(read.code, 0) << read.text;
    return std::stod(read.text);
  };
  const auto height_m = [](int overview, int x, int y) {
    const double cell = 1 << overview;
    const double east = (-1301 + cell * x + (cell - 1) / 2) / cell;
    const double south = (901 + cell * y + (cell - 1) / 2) / cell;
    const auto at = [&](int dx, int dy) {
      return static_cast<double>(TerrainAt(Layer::kHeight, 3 - overview,
                                           static_cast<std::int64_t>(std::floor(east)) + dx,
                                           static_cast<std::int64_t>(std::floor(south)) + dy));
    };
    const double t = east - std::floor(east);
    return std::lerp(std::lerp(at(0, 0), at(1, 0), t), std::lerp(at(0, 1), at(1, 1), t),
                     south - std::floor(south)) /
           65536;
  };
  int others = 0;
  for (const int overview : {1, 2}) {
    for (const auto& [x, y] : {std::pair{0, 0}, {511, 255}, {512, 100}, {601, 349}}) {
      const int column = overview == 1 ? x : x / 2;
      const int row = overview == 1 ? y : y / 2;
      const double there_m = height_m(overview, column, row);
      EXPECT_NEAR(pixel("levels.tif", overview, column, row), there_m, 1e-3)
          << overview << ": " << column << ", " << row;
      others += std::abs(pixel("means.tif", overview, column, row) - there_m) > 1e-3 ? 1 : 0;
    }
  }
  EXPECT_GT(others, 0);
  EXPECT_EQ(Run(region + "--overviews levels --out " + Path("z.png")).code, 2);
}

TEST_F(BakeCommandTest, FilesCanBeMadeFromExistingParts) {
  ASSERT_EQ(Run(Square() + "--keep-parts --layer height,flow --out " + Path("k.i32")).code, 0);
  const std::string from = THALWEG " bake --from " + Path("k.i32.bake");
  const Outcome again = Shell(from + " --out " + Path("again.i32"));
  ASSERT_EQ(again.code, 0) << again.text;
  EXPECT_TRUE(Read<std::int32_t>("again-height.i32") == Terrain());
  EXPECT_TRUE(Read<std::int32_t>("again-flow.i32") == Terrain(Layer::kFlow));
  // The parts stay, and other formats can be made of them.
  ASSERT_EQ(Shell(from + " --out " + Path("again.tif")).code, 0);
  EXPECT_THAT(Shell("gdalinfo " + Path("again-height.tif")).text, HasSubstr("world=alpine"));
  EXPECT_THAT(Shell(from + " --out " + Path("again.mbtiles")).text,
              HasSubstr("--format mbtiles needs coarser levels too, which --from lacks"));
  EXPECT_THAT(Shell(from + " --world alpine --out " + Path("b.tif")).text,
              HasSubstr("--world can't be used with --from"));
  EXPECT_THAT(Shell(THALWEG " bake --from " + Path("nowhere") + " --out " + Path("c.tif")).text,
              HasSubstr("' has no parts of a bake"));
}

}  // namespace
}  // namespace thalweg
