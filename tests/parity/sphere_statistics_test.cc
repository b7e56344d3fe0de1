// On a planet with the same kind of land everywhere, land along faces' edges is like other land.
#include <cmath>
#include <functional>
#include <string>

#include "gtest/gtest.h"
#include "proto/geometry/cube_sphere.h"
#include "tests/parity/backends.h"
#include "tests/parity/chain.h"
#include "tests/parity/random_world.h"
#include "tests/proto/geometry/continued.h"
#include "tests/size.h"

namespace thalweg::parity {
namespace {

using backend::Layer;
using sphere::Vertex;

// Level 1 has a quarter of level 2's vertices.
const int kLevel = FewOrAll(1, 2);
const int kCells = 256 << kLevel;
// Lines leave corners out: no other cells are like those at corners.
const int kFirst = kCells / 8;
const int kLast = kCells - kFirst;
// How many times as many broken rivers there may be at edges as elsewhere.
constexpr double kBrokenMost = 1.25;
const double kCellsOfCircle = 4.0 * kCells;

std::shared_ptr<const world::World> UniformPlanet() {
  v1::WorldSpec spec;
  spec.set_name("planet");
  spec.set_seed(11);
  spec.set_levels(static_cast<std::uint32_t>(kLevel + 1));
  spec.set_base_level_m(-1500);
  spec.mutable_sphere()->set_radius_m(6371000);
  v1::Noise& lands = *spec.mutable_base()->mutable_fbm();
  lands.set_wavelength_m(700000);
  lands.set_amplitude(800);
  v1::Rivers rivers;
  rivers.set_steepness(12);
  rivers.set_concavity(0.4);
  rivers.set_wander(0.8);
  *spec.add_rules()->add_stages()->mutable_rivers() = rivers;
  auto world = world::World::Create(spec);
  EXPECT_TRUE(world.ok()) << world.status();
  return world.ok() ? *world : nullptr;
}

// A whole level of a planet, face by face.
class Globe {
 public:
  explicit Globe(const std::string& device, const backend::RunOptions& options = {}) {
    backend::Backend* const backend = BackendOf(device);
    const auto planet = UniformPlanet();
    if (backend == nullptr || planet == nullptr) return;
    Chain chain(*backend, planet->programs(), kBlockCells, options);
    for (int face = 0; face < sphere::kFaces; ++face) {
      const backend::Vertices all{0, 0, kCells + 1, kCells + 1, face};
      heights_.push_back(chain.Read(kLevel, all));
      flows_.push_back(chain.Read(kLevel, all, Layer::kFlow));
    }
  }

  bool ok() const { return flows_.size() == sphere::kFaces; }

  // The vertex is on a face, or beyond one of its sides.
  int Height(const Vertex& vertex) const { return At(heights_, vertex); }
  // The number of cells that drain to the vertex.
  double Flow(const Vertex& vertex) const { return At(flows_, vertex) / 256.0; }

 private:
  static constexpr int kBlockCells = 512;

  static int At(const std::vector<std::vector<std::int32_t>>& faces, const Vertex& vertex) {
    const Vertex owner = sphere::Continued(vertex, kCells);
    return faces[static_cast<std::size_t>(owner.face)]
                [static_cast<std::size_t>(owner.y * (kCells + 1) + owner.x)];
  }

  std::vector<std::vector<std::int32_t>> heights_;
  std::vector<std::vector<std::int32_t>> flows_;
};

// The distance of two places of a face, in mean cells.
double Distance(int face, double x0, double y0, double x1, double y1) {
  const sphere::Vector a = sphere::PointOf(sphere::FacePlace{face, x0 / kCells, y0 / kCells});
  const sphere::Vector b = sphere::PointOf(sphere::FacePlace{face, x1 / kCells, y1 / kCells});
  return std::hypot(a.x - b.x, a.y - b.y, a.z - b.z) / (2 * M_PI) * kCellsOfCircle;
}

// The area of the cells at a vertex, in mean cells.
double CellOf(const Vertex& vertex) {
  const auto x = static_cast<double>(vertex.x);
  const auto y = static_cast<double>(vertex.y);
  const double rise = Distance(vertex.face, x - 0.5, y, x + 0.5, y);
  const double run = Distance(vertex.face, x, y - 0.5, x, y + 0.5);
  const double diagonal = Distance(vertex.face, x - 0.5, y - 0.5, x + 0.5, y + 0.5);
  const double product = (diagonal * diagonal - rise * rise - run * run) / 2;
  return std::sqrt(rise * rise * run * run - product * product);
}

// Vertices of a face in a line: n steps along it from (x, y).
struct Line {
  int face;
  int x;
  int y;
  bool rows;

  Vertex at(int n) const { return rows ? Vertex{face, x, n} : Vertex{face, n, y}; }
};

// Lines that are parallel to the edges of faces, `inside` cells from them.
std::vector<Line> LinesBesideEdges(int inside) {
  std::vector<Line> lines;
  for (int face = 0; face < sphere::kFaces; ++face) {
    for (const int at : {inside, kCells - inside}) {
      lines.push_back({face, at, 0, true});
      lines.push_back({face, 0, at, false});
    }
  }
  return lines;
}
std::vector<Line> LinesInTheMiddle() {
  std::vector<Line> lines;
  for (int face = 0; face < sphere::kFaces; ++face) {
    for (int at = kFirst; at <= kLast; at += kCells / 16) {
      lines.push_back({face, at, 0, true});
      lines.push_back({face, 0, at, false});
    }
  }
  return lines;
}

// How many rivers that drain a certain area cross the lines, per mean cell of their length.
double CrossingsOf(const Globe& globe, const std::vector<Line>& lines) {
  constexpr double kRiver = 40;
  double crossings = 0;
  double length = 0;
  for (const Line& line : lines) {
    bool before = false;
    for (int n = kFirst; n < kLast; ++n) {
      const Vertex here = line.at(n);
      const Vertex next = line.at(n + 1);
      const bool river = globe.Flow(here) * CellOf(here) > kRiver;
      crossings += river && !before ? 1 : 0;
      before = river;
      length += Distance(here.face, static_cast<double>(here.x), static_cast<double>(here.y),
                         static_cast<double>(next.x), static_cast<double>(next.y));
    }
  }
  return crossings / length;
}

// The root mean square difference of heights at a distance of five mean cells, in one of four
// directions, in metres.
double ReliefOf(const Globe& globe, const std::vector<Line>& lines, int direction) {
  constexpr double kDistance = 5;
  constexpr std::array<std::array<int, 2>, 4> kSteps = {{{1, 0}, {1, 1}, {0, 1}, {-1, 1}}};
  double sum = 0;
  double count = 0;
  for (const Line& line : lines) {
    for (int n = kFirst; n < kLast; ++n) {
      const Vertex here = line.at(n);
      const int way = line.rows ? direction : 2 - direction + (direction == 3 ? 4 : 0);
      const auto [x, y] = kSteps[static_cast<std::size_t>(way)];
      const auto hx = static_cast<double>(here.x);
      const auto hy = static_cast<double>(here.y);
      const double steps = kDistance / Distance(here.face, hx, hy, hx + x, hy + y);
      const int whole = static_cast<int>(steps);
      const double part = steps - whole;
      const auto height = [&globe, &here, x = x, y = y](int k) {
        return globe.Height({here.face, here.x + x * k, here.y + y * k}) / 65536.0;
      };
      const double there = height(whole) * (1 - part) + height(whole + 1) * part;
      const double difference = there - height(0);
      sum += difference * difference;
      ++count;
    }
  }
  return std::sqrt(sum / count);
}

// Rivers on the lines. `whole`: a lower neighbour drains as much. `broken`: all lower neighbours
// drain less. The level's changes of the ground may have closed the river's way.
struct Rivers {
  int whole = 0;
  int broken = 0;

  double BrokenPart() const { return static_cast<double>(broken) / (whole + broken); }
};

Rivers RiversOn(const Globe& globe, const std::vector<Line>& lines) {
  constexpr double kRiver = 4;
  Rivers rivers;
  for (const Line& line : lines) {
    for (int n = 1; n < kCells; ++n) {
      const Vertex here = line.at(n);
      const double flow = globe.Flow(here);
      if (sphere::Continued(here, kCells) != here || flow < kRiver) continue;
      bool pit = true;
      bool goes_on = false;
      for (int k = 0; k < 9; ++k) {
        const Vertex next{here.face, here.x + k % 3 - 1, here.y + k / 3 - 1};
        if (globe.Height(next) >= globe.Height(here)) continue;
        pit = false;
        goes_on = goes_on || globe.Flow(next) >= flow;
      }
      if (!pit) ++(goes_on ? rivers.whole : rivers.broken);
    }
  }
  return rivers;
}

class SphereStatisticsTest : public testing::TestWithParam<const char*> {};

TEST_P(SphereStatisticsTest, EdgesOfFacesLookLikeOtherPlaces) {
  const Globe globe(GetParam());
  ASSERT_TRUE(globe.ok());
  const Rivers rivers = RiversOn(globe, LinesBesideEdges(0));
  EXPECT_GT(rivers.whole, 1000);
  EXPECT_LT(rivers.BrokenPart(), kBrokenMost * RiversOn(globe, LinesInTheMiddle()).BrokenPart());
  // Level 1 has too few rivers that are so large.
  if (IsExhaustive()) {
    const double crossings = CrossingsOf(globe, LinesInTheMiddle());
    EXPECT_NEAR(CrossingsOf(globe, LinesBesideEdges(0)) / crossings, 1, 0.1);
  }
  for (int direction = 0; direction < 4; ++direction) {
    const double relief = ReliefOf(globe, LinesInTheMiddle(), direction);
    for (const int inside : {1, 4, 12}) {
      EXPECT_NEAR(ReliefOf(globe, LinesBesideEdges(inside), direction) / relief, 1, 0.05)
          << "direction " << direction << ", " << inside << " cells inside";
    }
  }
}

// The twin: without exchange over the edges, rivers end there.
TEST_P(SphereStatisticsTest, EdgesStandOutWithoutExchange) {
  backend::RunOptions options;
  options.exchange_seams = false;
  const Globe globe(GetParam(), options);
  ASSERT_TRUE(globe.ok());
  EXPECT_GT(RiversOn(globe, LinesBesideEdges(0)).BrokenPart(),
            kBrokenMost * RiversOn(globe, LinesInTheMiddle()).BrokenPart());
}

INSTANTIATE_TEST_SUITE_P(Devices, SphereStatisticsTest, kDevicesOfStatistics, NameOfDevice);

}  // namespace
}  // namespace thalweg::parity
