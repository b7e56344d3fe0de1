// What placed nodes measure, compared with geometry in doubles.
#include "server/world/placed_shapes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "proto/geometry/cube_sphere.h"
#include "proto/geometry/vector.h"
#include "server/world/world.h"
#include "shaders/kernels/sphere.glsl"
#include "tests/world/base_machine.h"
#include "tests/world/spec_fixtures.h"

namespace thalweg::world {
namespace {

using Random = std::mt19937_64;

double Uniform(Random& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

std::shared_ptr<const World> Created(const v1::WorldSpec& spec) {
  auto world = World::Create(spec);
  EXPECT_TRUE(world.ok()) << world.status();
  return world.ok() ? *world : nullptr;
}

// A profile that is the distance itself, up to this many units.
template <typename Shape>
void MeasureUpTo(Shape& shape, double least, double most) {
  for (const double in : {least, most}) {
    v1::Point& point = *shape.add_profile();
    point.set_in(in);
    point.set_out(in);
  }
}

struct Flat {
  double east;
  double south;
};

double Apart(const Flat& a, const Flat& b) {
  return std::hypot(a.east - b.east, a.south - b.south);
}

double ToLine(const Flat& from, const Flat& first, const Flat& last) {
  const Flat along{last.east - first.east, last.south - first.south};
  const double square = along.east * along.east + along.south * along.south;
  const double part =
      ((from.east - first.east) * along.east + (from.south - first.south) * along.south) / square;
  const double held = std::clamp(part, 0.0, 1.0);
  return Apart(from, {first.east + held * along.east, first.south + held * along.south});
}

// Corners in order around a middle, so that their outline does not cross itself.
std::vector<Flat> Star(Random& random, int corners, const Flat& middle, double size) {
  std::vector<Flat> star;
  for (int i = 0; i < corners; ++i) {
    const double angle = 2 * std::numbers::pi * (i + Uniform(random, 0, 0.8)) / corners;
    const double far = size * Uniform(random, 0.2, 1);
    star.push_back({middle.east + far * std::cos(angle), middle.south + far * std::sin(angle)});
  }
  return star;
}

// Whether the outline goes around a place: by the sum of the angles under which it sees the edges.
bool GoesAround(const std::vector<Flat>& corners, const Flat& from) {
  double turns = 0;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Flat& a = corners[i];
    const Flat& b = corners[(i + 1) % corners.size()];
    const double first = std::atan2(a.south - from.south, a.east - from.east);
    const double last = std::atan2(b.south - from.south, b.east - from.east);
    turns += std::remainder(last - first, 2 * std::numbers::pi);
  }
  return std::abs(turns) > std::numbers::pi;
}

void AddPosition(google::protobuf::RepeatedPtrField<v1::Position>& points, const Flat& at) {
  points.Add()->set_east_m(at.east);
  points.rbegin()->set_south_m(at.south);
}

// A plane whose base is one node, and the value of that node at a vertex.
class OnPlane {
 public:
  explicit OnPlane(const v1::Node& node) {
    v1::WorldSpec spec = SmallSpec();
    spec.set_cell_size_m(kCellM);
    *spec.mutable_base() = node;
    world_ = Created(spec);
  }

  double At(std::int64_t column, std::int64_t row) const {
    return static_cast<double>(RunBase(world_->level(0), column, row));
  }

  static Flat Place(std::int64_t column, std::int64_t row) {
    return {static_cast<double>(column) * kCellM, static_cast<double>(row) * kCellM};
  }

  static constexpr double kCellM = 50;

 private:
  std::shared_ptr<const World> world_;
};

// A column or row near a coordinate.
std::int64_t Near(Random& random, double metres, double size) {
  return std::llround((metres + Uniform(random, -size, size)) / OnPlane::kCellM);
}

TEST(PlacedShapesTest, LinesAndOutlinesOfPlanesAreMeasured) {
  Random random(11);
  for (int trial = 0; trial < 200; ++trial) {
    const double size = std::exp(Uniform(random, std::log(100.0), std::log(1e6)));
    const double far = trial % 2 == 0 ? 1e5 : 9e7;
    const Flat middle{Uniform(random, -far, far), Uniform(random, -far, far)};
    const std::vector<Flat> corners = Star(random, 3 + trial % 12, middle, size);
    v1::Node line;
    v1::Node outline;
    for (const Flat& corner : corners) {
      AddPosition(*line.mutable_along()->mutable_points(), corner);
      AddPosition(*outline.mutable_inside()->mutable_points(), corner);
    }
    line.mutable_along()->set_width_m(size / 10);
    MeasureUpTo(*line.mutable_along(), 0, 30);
    outline.mutable_inside()->set_edge_m(size / 10);
    MeasureUpTo(*outline.mutable_inside(), -30, 30);
    const OnPlane along(line);
    const OnPlane inside(outline);
    for (int place = 0; place < 30; ++place) {
      const std::int64_t column = Near(random, middle.east, 1.5 * size);
      const std::int64_t row = Near(random, middle.south, 1.5 * size);
      const Flat at = OnPlane::Place(column, row);
      double open = 1e300;
      for (std::size_t i = 1; i < corners.size(); ++i)
        open = std::min(open, ToLine(at, corners[i - 1], corners[i]));
      const double closed = std::min(open, ToLine(at, corners.back(), corners.front()));
      const double sign = GoesAround(corners, at) ? 1 : -1;
      // Corners lie on 1/256 of a cell; the rest is rounding.
      const double error = (OnPlane::kCellM / 100 + size * 1e-5) / (size / 10);
      EXPECT_NEAR(along.At(column, row), open / (size / 10), error) << trial;
      EXPECT_NEAR(inside.At(column, row), sign * closed / (size / 10), error) << trial;
    }
  }
}

TEST(PlacedShapesTest, AGradientIsTrueFarFromItsStart) {
  Random random(12);
  for (int trial = 0; trial < 200; ++trial) {
    const double heading = Uniform(random, 0, 360);
    const double length = std::exp(Uniform(random, std::log(1e3), std::log(1e6)));
    const Flat from{Uniform(random, -1e7, 1e7), Uniform(random, -1e7, 1e7)};
    v1::Node node;
    v1::Gradient& gradient = *node.mutable_gradient();
    gradient.mutable_from()->set_east_m(from.east);
    gradient.mutable_from()->set_south_m(from.south);
    gradient.set_heading_deg(heading);
    gradient.set_length_m(length);
    MeasureUpTo(gradient, -2, 2);
    const OnPlane measured(node);
    const double east = std::sin(heading * std::numbers::pi / 180);
    const double south = -std::cos(heading * std::numbers::pi / 180);
    // Up to 100 lengths to the side.
    const double aside = Uniform(random, -100, 100) * length;
    const double ahead = Uniform(random, -3, 3) * length;
    const std::int64_t column =
        std::llround((from.east + ahead * east - aside * south) / OnPlane::kCellM);
    const std::int64_t row =
        std::llround((from.south + ahead * south + aside * east) / OnPlane::kCellM);
    const Flat at = OnPlane::Place(column, row);
    const double expected =
        ((at.east - from.east) * east + (at.south - from.south) * south) / length;
    // The heading has steps of 1/2^14.
    const double error = 0.01 + std::abs(aside) / length * 6e-5;
    EXPECT_NEAR(measured.At(column, row), std::clamp(expected, -2.0, 2.0), error) << heading;
  }
}

TEST(PlacedShapesTest, WithoutAProfileValuesGoFromNothingToOne) {
  v1::Node node;
  node.mutable_radial()->set_radius_m(1000);
  const OnPlane radial(node);
  EXPECT_EQ(radial.At(0, 0), 1);
  EXPECT_NEAR(radial.At(10, 0), 0.5, 1e-4);
  EXPECT_EQ(radial.At(0, -20), 0);
  EXPECT_EQ(radial.At(123'456'789, -987'654'321), 0);
  EXPECT_EQ(radial.At(-(std::int64_t{1} << 48), std::int64_t{1} << 48), 0);

  node.mutable_gradient()->set_length_m(1000);
  const OnPlane gradient(node);
  EXPECT_EQ(gradient.At(5, 3), 0);
  EXPECT_NEAR(gradient.At(-7, -5), 0.25, 1e-3);
  EXPECT_EQ(gradient.At(std::int64_t{1} << 48, -(std::int64_t{1} << 48)), 1);
}

// A planet whose base is one node, and the value of that node at a vertex.
class OnPlanet {
 public:
  OnPlanet(const v1::Node& node, double radius_m) {
    v1::WorldSpec spec = SmallSpec();
    spec.clear_cell_size_m();
    spec.mutable_sphere()->set_radius_m(radius_m);
    spec.set_base_level(2);
    *spec.mutable_base() = node;
    world_ = Created(spec);
  }

  double At(const sphere::Vertex& vertex) const {
    return static_cast<double>(RunBaseAt(
        world_->level(2), kernels::placeOnSphere(vertex.face, kBits, vertex.x, vertex.y)));
  }

  // The direction of a vertex.
  static sphere::Vector Direction(const sphere::Vertex& vertex) {
    const kernels::Place place = kernels::placeOnSphere(vertex.face, kBits, vertex.x, vertex.y);
    return sphere::Unit(
        {static_cast<double>(place.x), static_cast<double>(place.y), static_cast<double>(place.z)});
  }

  // In metres along the ground.
  static double Apart(const sphere::Vector& a, const sphere::Vector& b, double radius_m) {
    return radius_m * std::acos(std::clamp(sphere::Dot(a, b), -1.0, 1.0));
  }

  static constexpr int kBits = kernels::kFaceBits + 2;

 private:
  std::shared_ptr<const World> world_;
};

sphere::Vertex AnyVertex(Random& random) {
  const std::uint64_t cells = 1 << OnPlanet::kBits;
  return {static_cast<int>(random() % 6), static_cast<std::int64_t>(random() % (cells + 1)),
          static_cast<std::int64_t>(random() % (cells + 1))};
}

void SetPosition(v1::Position& position, const sphere::Vector& at) {
  const sphere::LatLong place = sphere::LatLongOf(at);
  position.set_latitude_deg(place.latitude);
  position.set_longitude_deg(place.longitude);
}

TEST(PlacedShapesTest, CirclesOfPlanetsAreMeasuredAlongTheGround) {
  Random random(13);
  for (int trial = 0; trial < 100; ++trial) {
    const double radius_m = std::exp(Uniform(random, std::log(1e5), std::log(1e7)));
    const sphere::Vector middle = trial % 10 == 0
                                      ? sphere::Vector{0, 0, trial % 20 == 0 ? 1.0 : -1.0}
                                      : OnPlanet::Direction(AnyVertex(random));
    for (int place = 0; place < 20; ++place) {
      const sphere::Vertex vertex = AnyVertex(random);
      v1::Node node;
      v1::Radial& radial = *node.mutable_radial();
      SetPosition(*radial.mutable_center(), middle);
      // The profile has a corner exactly where the vertex is.
      const double away_m = OnPlanet::Apart(middle, OnPlanet::Direction(vertex), radius_m);
      if (away_m < radius_m / 50 || away_m > 2.7 * radius_m) continue;
      radial.set_radius_m(away_m);
      for (const double in : {0.0, 1.0, 1.01}) {
        v1::Point& point = *radial.add_profile();
        point.set_in(in);
        point.set_out(in == 1 ? 1000 : 0);
      }
      // A place has steps of 6e-6 radii, and the profile falls by 1,000 over a hundredth of the
      // way.
      EXPECT_NEAR(OnPlanet(node, radius_m).At(vertex), 1000, 2 + 2 * radius_m / away_m) << trial;
    }
  }
}

// Points within 20 degrees of a middle, in order around it.
std::vector<sphere::Vector> StarOnSphere(Random& random, int corners,
                                         const sphere::Vector& middle) {
  const sphere::Vector east = sphere::Unit(sphere::Cross({0.3, 0.5, 0.81}, middle));
  const sphere::Vector north = sphere::Cross(middle, east);
  std::vector<sphere::Vector> star;
  for (const Flat& corner : Star(random, corners, {0, 0}, 0.35))
    star.push_back(sphere::Unit(middle + corner.east * east + corner.south * north));
  return star;
}

// The angle from a direction to a great circle between two others.
double ToArc(const sphere::Vector& from, const sphere::Vector& first, const sphere::Vector& last) {
  const sphere::Vector normal = sphere::Unit(sphere::Cross(first, last));
  const sphere::Vector on = sphere::Unit(from - sphere::Dot(from, normal) * normal);
  const bool between = sphere::Dot(sphere::Cross(first, on), normal) >= 0 &&
                       sphere::Dot(sphere::Cross(on, last), normal) >= 0;
  const double ends =
      std::acos(std::min(std::max(sphere::Dot(from, first), sphere::Dot(from, last)), 1.0));
  return between ? std::abs(std::asin(sphere::Dot(from, normal))) : ends;
}

TEST(PlacedShapesTest, OutlinesOfPlanetsAreGreatCircles) {
  Random random(14);
  int inside_count = 0;
  for (int trial = 0; trial < 60; ++trial) {
    constexpr double kRadiusM = 3e6;
    const sphere::Vector middle = OnPlanet::Direction(AnyVertex(random));
    const std::vector<sphere::Vector> corners = StarOnSphere(random, 3 + trial % 8, middle);
    v1::Node node;
    for (const sphere::Vector& corner : corners)
      SetPosition(*node.mutable_inside()->add_points(), corner);
    node.mutable_inside()->set_edge_m(kRadiusM / 100);
    MeasureUpTo(*node.mutable_inside(), -100, 100);
    const OnPlanet sphere(node, kRadiusM);
    for (int place = 0; place < 300; ++place) {
      const sphere::Vertex vertex = AnyVertex(random);
      const sphere::Vector at = OnPlanet::Direction(vertex);
      if (sphere::Dot(at, middle) < 0.85) continue;
      double nearest = 10;
      double turns = 0;
      for (std::size_t i = 0; i < corners.size(); ++i) {
        const sphere::Vector& a = corners[i];
        const sphere::Vector& b = corners[(i + 1) % corners.size()];
        nearest = std::min(nearest, ToArc(at, a, b));
        const sphere::Vector to_a = sphere::Cross(at, a);
        const sphere::Vector to_b = sphere::Cross(at, b);
        turns += std::atan2(sphere::Dot(at, sphere::Cross(to_a, to_b)), sphere::Dot(to_a, to_b));
      }
      const bool is_inside = std::abs(turns) > std::numbers::pi;
      inside_count += is_inside ? 1 : 0;
      const double expected = (is_inside ? 1 : -1) * nearest * 100;
      // Distances on the map are up to 4 % wrong at 32 degrees; a great circle is cut every 4.
      EXPECT_NEAR(sphere.At(vertex), expected, 0.1 + 0.06 * nearest * 100) << trial;
    }
  }
  EXPECT_GT(inside_count, 100);
}

TEST(PlacedShapesTest, TheOtherSideOfAPlanetIsFarAway) {
  v1::Node node;
  node.mutable_radial()->set_radius_m(1e6);
  const OnPlanet sphere(node, 1e6);
  const std::int64_t half = 1 << (OnPlanet::kBits - 1);
  int whole = 0;
  int nothing = 0;
  for (int face = 0; face < 6; ++face) {
    const double value = sphere.At({face, half, half});
    whole += value == 1 ? 1 : 0;
    nothing += value == 0 ? 1 : 0;
  }
  // The middle of face 0, and the five others, one of which is opposite.
  EXPECT_EQ(whole, 1);
  EXPECT_EQ(nothing, 5);
}

}  // namespace
}  // namespace thalweg::world
