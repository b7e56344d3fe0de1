#include "tests/world/random_placed.h"

#include <cmath>
#include <numbers>

namespace thalweg::world {
namespace {

using Random = std::mt19937_64;
using Points = google::protobuf::RepeatedPtrField<v1::Point>;

// Unlike std's distributions, this gives the same with every library.
double Between(Random& random, double low, double high) {
  return low + (high - low) * std::ldexp(static_cast<double>(random() >> 11), -53);
}

// A place, and places around it in order.
class Spot {
 public:
  Spot(Random& random, const Surroundings& around)
      : random_(random),
        on_sphere_(around.on_sphere),
        east_(Between(random, -1, 1) * (around.on_sphere ? 180 : around.size_m)),
        south_(Between(random, -1, 1) * (around.on_sphere ? 60 : around.size_m)),
        size_(around.on_sphere ? 12 : around.size_m / 2) {}

  void Place(v1::Position& position, double angle, double away) {
    const double east = east_ + size_ * away * std::cos(angle);
    const double south = south_ + size_ * away * std::sin(angle);
    if (on_sphere_) {
      position.set_longitude_deg(std::remainder(east, 360));
      position.set_latitude_deg(south);
    } else {
      position.set_east_m(east);
      position.set_south_m(south);
    }
  }

  void PlaceAround(google::protobuf::RepeatedPtrField<v1::Position>& positions, int count) {
    for (int i = 0; i < count; ++i) {
      const double angle = 2 * std::numbers::pi * (i + Between(random_, 0, 0.8)) / count;
      Place(*positions.Add(), angle, Between(random_, 0.3, 1));
    }
  }

 private:
  Random& random_;
  bool on_sphere_;
  double east_;
  double south_;
  double size_;
};

void SetProfile(Random& random, Points& points, bool may_be_negative, double largest) {
  if (random() % 4 == 0) return;
  double in = may_be_negative ? Between(random, -1, 0) : Between(random, 0, 0.3);
  for (int i = 2 + static_cast<int>(random() % 3); i > 0; --i, in += Between(random, 0.01, 0.8)) {
    v1::Point& point = *points.Add();
    point.set_in(in);
    point.set_out(Between(random, -largest, largest));
  }
}

}  // namespace

v1::Node RandomPlaced(Random& random, const Surroundings& around, double largest) {
  v1::Node node;
  Spot spot(random, around);
  const double unit_m = Between(random, 0.1, 0.5) * around.size_m;
  const auto corners = static_cast<int>(3 + random() % 9);
  const bool smooth = random() % 2 == 0;
  switch (random() % 4) {
    case 0:
      spot.Place(*node.mutable_radial()->mutable_center(), 0, 0);
      node.mutable_radial()->set_radius_m(unit_m);
      SetProfile(random, *node.mutable_radial()->mutable_profile(), false, largest);
      node.mutable_radial()->set_smooth(smooth);
      break;
    case 1:
      spot.PlaceAround(*node.mutable_along()->mutable_points(), corners);
      node.mutable_along()->set_width_m(unit_m);
      SetProfile(random, *node.mutable_along()->mutable_profile(), false, largest);
      node.mutable_along()->set_smooth(smooth);
      break;
    case 2:
      spot.PlaceAround(*node.mutable_inside()->mutable_points(), corners);
      node.mutable_inside()->set_edge_m(unit_m);
      SetProfile(random, *node.mutable_inside()->mutable_profile(), true, largest);
      node.mutable_inside()->set_smooth(smooth);
      break;
    default:
      spot.Place(*node.mutable_gradient()->mutable_from(), 0, 0);
      node.mutable_gradient()->set_heading_deg(Between(random, 0, 360));
      node.mutable_gradient()->set_length_m(unit_m);
      SetProfile(random, *node.mutable_gradient()->mutable_profile(), true, largest);
      node.mutable_gradient()->set_smooth(smooth);
      break;
  }
  return node;
}

}  // namespace thalweg::world
