#include "client/tools/cli/cameras.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace thalweg::cli {
namespace {

// Higher ground is hardly ever seen beyond the horizon.
constexpr double kHighestGroundM = 9'000;
// Sessions refuse faster cameras.
constexpr double kMaxSpeedMPerS = 1e6;
constexpr double kMinForecastS = 1.0 / 60;
// Directions shorter than this have no meaning.
constexpr double kNoDirection = 1e-12;

SpaceVector InSpace(const sphere::Vector& v) { return {v.x, v.y, v.z}; }

// The part of a vector that is horizontal where `up` points upward.
sphere::Vector Horizontal(const sphere::Vector& vector, const sphere::Vector& up) {
  return vector - sphere::Dot(vector, up) * up;
}

// The angle at the planet's middle from a point to its horizon, in radians. From the point, the
// horizon is lower than the horizontal by the same angle.
double AngleToHorizon(double radius_m, double height_m) {
  return std::acos(radius_m / (radius_m + std::max(height_m, 0.0)));
}

// The distance along the ground to the horizon, and beyond it to where the highest ground shows.
// Ground higher than the camera does not count, because few cameras near the ground see so far.
double VisibleRangeM(double radius_m, double height_m) {
  return radius_m * (AngleToHorizon(radius_m, height_m) +
                     AngleToHorizon(radius_m, std::min(height_m, kHighestGroundM)));
}

}  // namespace

Vector3 StartOf(const FlyArguments& arguments, const WorldInfo& world) {
  return {arguments.x_m.value_or(world.showplace.east_m),
          arguments.y_m.value_or(world.showplace.south_m), arguments.height_m};
}

PlaneCamera::PlaneCamera(const TerrainView& view, const FlyArguments& arguments)
    : FlightCamera(arguments),
      view_(view),
      arguments_(arguments),
      start_m_(StartOf(arguments, view.world())) {
  const double heading = arguments.heading_deg * std::numbers::pi / 180;
  forward_ = {.east = std::sin(heading), .south = -std::cos(heading)};
  camera_.position_m = start_m_;
  camera_.velocity_m_s = {.east = arguments.speed_m_s * forward_.east,
                          .south = arguments.speed_m_s * forward_.south};
  camera_.direction = {forward_.east, forward_.south, -kDownward};
}

void PlaneCamera::MoveTo(double seconds, double since_last_s) {
  flown_m_ = arguments_.speed_m_s * seconds;
  camera_.position_m.east = start_m_.east + flown_m_ * forward_.east;
  camera_.position_m.south = start_m_.south + flown_m_ * forward_.south;
  Follow(std::min(1.0, kFollowPerS * since_last_s));
}

void PlaneCamera::Follow(double share) {
  const Vector3& at = camera_.position_m;
  const Vector3& speed = camera_.velocity_m_s;
  const auto here = view_.HeightAt(at.east, at.south);
  if (!here) return;
  const double ahead =
      view_.HeightAt(at.east + kGroundAheadS * speed.east, at.south + kGroundAheadS * speed.south)
          .value_or(*here);
  const double wanted = std::max(*here, ahead) + arguments_.height_m;
  const double min = *here + 0.25 * arguments_.height_m;
  camera_.position_m.up = std::max(at.up + share * (wanted - at.up), min);
}

PlanetCamera::PlanetCamera(PlanetPath path, double radius_m, GroundHeight ground,
                           const FlyArguments& arguments)
    : FlightCamera(arguments),
      path_(std::move(path)),
      radius_m_(radius_m),
      ground_(std::move(ground)),
      min_range_m_(arguments.range_m),
      forecast_s_(std::max(arguments.lookahead_s, kMinForecastS)) {
  camera_.in_space.emplace();
  Turn(1);
  Follow(1);
  SetVelocity();
}

void PlanetCamera::MoveTo(double seconds, double since_last_s) {
  const sphere::Vector before = position_;
  const double share = std::min(1.0, kFollowPerS * since_last_s);
  time_s_ = seconds;
  Turn(share);
  Follow(share);
  SetVelocity();
  flown_m_ += sphere::Length(position_ - before);
}

void PlanetCamera::Follow(double share) {
  if (const auto here = GroundAt(time_s_)) {
    const double ahead = GroundAt(time_s_ + kGroundAheadS).value_or(*here);
    const double followed_m = ground_m_ + share * (std::max(*here, ahead) - ground_m_);
    // The camera keeps a quarter of its height over steep ground.
    ground_m_ = std::max(followed_m, *here - 0.75 * path_.At(time_s_).height_m);
  }
  Place();
}

std::optional<double> PlanetCamera::GroundAt(double seconds) const {
  return ground_(LatLongOf(InSpace(path_.At(seconds).up)));
}

sphere::Vector PlanetCamera::PointAt(double seconds) const {
  const PathPosition at = path_.At(seconds);
  return (radius_m_ + ground_m_ + at.height_m) * at.up;
}

// Turns towards where the path leads, by a share of the angle. Where the path leads straight up or
// down, the direction of view stays.
void PlanetCamera::Turn(double share) {
  const sphere::Vector up = path_.At(time_s_).up;
  const sphere::Vector before = Horizontal(forward_, up);
  if (sphere::Length(before) > kNoDirection) {
    forward_ = sphere::Unit(before);
  } else {
    const SpaceVector north = CompassAt(InSpace(up)).north;
    forward_ = {north.x, north.y, north.z};
  }
  const sphere::Vector way = Horizontal(path_.At(time_s_ + kGroundAheadS).up - up, up);
  if (sphere::Length(way) < kNoDirection) return;
  const double angle =
      share * std::atan2(sphere::Dot(up, sphere::Cross(forward_, way)), sphere::Dot(forward_, way));
  forward_ = std::cos(angle) * forward_ + std::sin(angle) * sphere::Cross(up, forward_);
}

// Sets the camera's position, its direction and its range. The range does not depend on the ground:
// while the path keeps its height, the range stays, and so does the session's choice of tiles
// ahead.
void PlanetCamera::Place() {
  const PathPosition at = path_.At(time_s_);
  position_ = PointAt(time_s_);
  const double below_horizontal = std::min(
      AngleToHorizon(radius_m_, sphere::Length(position_) - radius_m_) + std::atan(kDownward),
      std::numbers::pi / 2);
  camera_.in_space->position_m = InSpace(position_);
  camera_.in_space->direction =
      InSpace(std::cos(below_horizontal) * forward_ - std::sin(below_horizontal) * at.up);
  camera_.range_m = std::max(min_range_m_, VisibleRangeM(radius_m_, at.height_m));
}

// Sets the mean velocity of the time that tiles are fetched ahead for. A session forecasts the
// camera along a straight line, whose end is then on the path. The momentary velocity of a descent
// would lead into the planet, because the camera slows down all the time.
void PlanetCamera::SetVelocity() {
  const sphere::Vector velocity =
      1 / forecast_s_ * (PointAt(time_s_ + forecast_s_) - PointAt(time_s_));
  const double speed = sphere::Length(velocity);
  const double factor = speed > kMaxSpeedMPerS ? kMaxSpeedMPerS / speed : 1;
  camera_.in_space->velocity_m_s = InSpace(factor * velocity);
}

}  // namespace thalweg::cli
