#include "server/http/profile.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "proto/sphere/cube_sphere.h"
#include "proto/wire/invalid.h"
#include "proto/wire/limits.h"
#include "proto/wire/status_macros.h"
#include "server/http/target.h"
#include "server/tile/height_sampling.h"

namespace thalweg::http {
namespace {

using Coordinates = google::protobuf::RepeatedField<double>;

// A line's points, each with its distance from the line's beginning in metres.
struct Line {
  std::vector<sphere::Point> points;
  std::vector<double> distances_m;
};

// Two points or more.
absl::Status CheckLine(absl::string_view name, const Coordinates& coordinates) {
  if (coordinates.size() > 1) return absl::OkStatus();
  return wire::Invalid(name, "two points or more with a profile", coordinates.size());
}

double Dot(const sphere::Point& a, const sphere::Point& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

// The angle between two directions of length 1, accurate for small ones too.
double AngleOf(const sphere::Point& a, const sphere::Point& b) {
  const double x = a.y * b.z - a.z * b.y;
  const double y = a.z * b.x - a.x * b.z;
  const double z = a.x * b.y - a.y * b.x;
  return std::atan2(std::hypot(x, y, z), Dot(a, b));
}

// The point at a part of the way: on a straight line, or on the great circle.
sphere::Point Between(const sphere::Point& a, const sphere::Point& b, double part, bool on_sphere) {
  double of_a = 1 - part;
  double of_b = part;
  if (const double angle = on_sphere ? AngleOf(a, b) : 0; angle > 0) {
    of_a = std::sin((1 - part) * angle) / std::sin(angle);
    of_b = std::sin(part * angle) / std::sin(angle);
  }
  return {of_a * a.x + of_b * b.x, of_a * a.y + of_b * b.y, of_a * a.z + of_b * b.z};
}

absl::StatusOr<Line> LineOf(const world::World& world, const v1::SampleHeightsRequest& given) {
  const bool on_sphere = world.spec().has_sphere();
  THALWEG_RETURN_IF_ERROR(tile::SamplePointsOf(world, given).status());
  THALWEG_RETURN_IF_ERROR(on_sphere ? CheckLine("latitude_deg", given.latitude_deg())
                                    : CheckLine("east_m", given.east_m()));
  Line line;
  double distance_m = 0;
  const int count = on_sphere ? given.latitude_deg_size() : given.east_m_size();
  for (int n = 0; n < count; ++n) {
    const sphere::Point point =
        on_sphere ? sphere::PointOf(sphere::LatLong{given.latitude_deg(n), given.longitude_deg(n)})
                  : sphere::Point{given.east_m(n), given.south_m(n), 0};
    if (n > 0) {
      const sphere::Point& before = line.points.back();
      const double angle = on_sphere ? AngleOf(before, point) : 0;
      if (angle > std::numbers::pi - 1e-6) {
        return wire::Invalid("latitude_deg", "neighbours less than half the planet apart",
                             absl::StrCat("opposite points ", n - 1, " and ", n));
      }
      distance_m += on_sphere ? angle * world.spec().sphere().radius_m()
                              : std::hypot(point.x - before.x, point.y - before.y);
    }
    line.points.push_back(point);
    line.distances_m.push_back(distance_m);
  }
  if (distance_m > 0 && std::isfinite(distance_m)) return line;
  return wire::Invalid("profile", "a line between points that are apart",
                       absl::StrCat("one of ", PrintReal(distance_m), " m"));
}

void Add(const sphere::Point& point, bool on_sphere, v1::SampleHeightsRequest& points) {
  if (!on_sphere) {
    points.add_east_m(point.x);
    points.add_south_m(point.y);
    return;
  }
  const sphere::LatLong place = sphere::LatLongOf(point);
  points.add_latitude_deg(place.latitude);
  points.add_longitude_deg(place.longitude);
}

}  // namespace

absl::StatusOr<Profile> ProfileOf(const world::World& world, const v1::SampleHeightsRequest& given,
                                  std::uint32_t count) {
  if (count < 2 || count > wire::kMaxSamplePoints) {
    return wire::Invalid("profile", absl::StrCat("2 to ", wire::kMaxSamplePoints, " points"),
                         count);
  }
  THALWEG_ASSIGN_OR_RETURN(const Line line, LineOf(world, given));
  const bool on_sphere = world.spec().has_sphere();
  Profile profile;
  profile.points.set_level(given.level());
  std::size_t to = 1;
  for (std::uint32_t n = 0; n < count; ++n) {
    const double at_m =
        n + 1 == count ? line.distances_m.back() : line.distances_m.back() * n / (count - 1);
    while (to + 1 < line.points.size() && line.distances_m[to] < at_m) ++to;
    const double length_m = line.distances_m[to] - line.distances_m[to - 1];
    const double part = length_m > 0 ? (at_m - line.distances_m[to - 1]) / length_m : 0;
    Add(Between(line.points[to - 1], line.points[to], part, on_sphere), on_sphere, profile.points);
    profile.distances_m.push_back(at_m);
  }
  return profile;
}

}  // namespace thalweg::http
