// `thalweg fly` over a planet, against a server in this process.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numbers>
#include <string>

#include "tests/access/temporary_folder.h"
#include "tests/client/fake_server.h"
#include "tests/client/shell.h"

namespace thalweg {
namespace {

using client_test::Outcome;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class FlyPlanetTest : public ::testing::Test {
 protected:
  // Makes a planet of the server's world.
  void SetRadius(double radius_m) {
    const lod::WorldGrid grid{.cell_size_m = radius_m * std::numbers::pi / 2 / wire::kTileCells,
                              .levels = 8,
                              .radius_m = radius_m};
    server_.lies.world = [grid](v1::World& world) {
      world.mutable_spec()->mutable_sphere()->set_radius_m(grid.radius_m);
      world.mutable_spec()->set_cell_size_m(grid.cell_size_m);
      world.mutable_spec()->set_levels(static_cast<std::uint32_t>(grid.levels));
    };
    server_.sessions.SetGrid(grid);
  }

  Outcome Fly(const std::string& arguments) const {
    return client_test::Shell(THALWEG " fly --world alpine --viewport 240 --tolerance 4 " +
                              arguments + " --server " + server_.address());
  }

  client_test::FakeServer server_;
  const access::TemporaryFolder folder_;
};

TEST_F(FlyPlanetTest, FollowsAPathFromOrbitToTheGround) {
  SetRadius(1'000'000);
  // Over the edge between two faces.
  const std::string path = folder_.Put("descent.csv", "0,10,44,3000000\n1.5,10,46,2000\n");
  const Outcome table = Fly("--path " + path);
  ASSERT_EQ(table.code, 0) << table.text;
  EXPECT_THAT(table.text,
              AllOf(HasSubstr(" s along " + path + "\n"), HasSubstr("as fine as wanted"),
                    HasSubstr("finest after the stop    after"),
                    HasSubstr("with cracks              0 (0.0 %)")));
  // Fine ground near the end of the path.
  EXPECT_THAT(table.text, HasSubstr(" of level 5"));
  const Outcome json = Fly("--json --path " + path);
  ASSERT_EQ(json.code, 0) << json.text;
  EXPECT_THAT(json.text, AllOf(HasSubstr("\"path\":\"" + path + "\",\"speed_m_s\":null"),
                               HasSubstr("\"finest_share\":"), HasSubstr("\"cracked\":0,")));
}

TEST_F(FlyPlanetTest, NamesTheWrongLine) {
  const std::string path = folder_.Put("descent.csv", "0,10,44,3000\n1,95,46,2000\n");
  const Outcome outcome = Fly("--path " + path);
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.text,
            "thalweg: " + path + ":2: invalid latitude: expected -90 to 90, got 95\n");
  const std::string missing = folder_.Path("none.csv");
  EXPECT_EQ(Fly("--path " + missing).text,
            "thalweg: read " + missing + ": No such file or directory\n");
}

TEST_F(FlyPlanetTest, PlanetsNeedAPathAndPlanesTakeNone) {
  const std::string path = folder_.Put("descent.csv", "0,10,44,3000\n1,10,46,2000\n");
  const Outcome plane = Fly("--path " + path);
  EXPECT_EQ(plane.code, 1);
  EXPECT_EQ(plane.text, "thalweg: --path " + path + " is given, but world 'alpine' is a plane\n");
  SetRadius(1'000'000);
  const Outcome planet = Fly("--seconds 1 --speed 10");
  EXPECT_EQ(planet.code, 1);
  EXPECT_EQ(planet.text,
            "thalweg: --path is missing: expected a file, since world 'alpine' is a planet\n");
}

TEST_F(FlyPlanetTest, APathExcludesOptionsThatItDecides) {
  for (const char* option :
       {"--seconds", "--speed", "--height", "--x", "--y", "--heading", "--picture"}) {
    const Outcome outcome = Fly(std::string("--path descent.csv ") + option + " 5");
    EXPECT_EQ(outcome.code, 2) << option;
    EXPECT_THAT(outcome.text,
                StartsWith(std::string("thalweg: --path can't be used with ") + option + "\n"));
  }
  EXPECT_THAT(Fly("--speed 5").text, StartsWith("thalweg: --seconds is missing\n"));
}

}  // namespace
}  // namespace thalweg
