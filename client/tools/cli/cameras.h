// The cameras of flights over planes and planets.
#pragma once

#include <functional>
#include <optional>

#include "client/tools/cli/arguments.h"
#include "client/tools/cli/planet_path.h"
#include "proto/geometry/vector.h"
#include "thalweg/camera.h"
#include "thalweg/planet.h"
#include "thalweg/terrain_view.h"
#include "thalweg/world_info.h"

namespace thalweg::cli {

// A camera that keeps its height above the ground looks this far ahead for higher ground, and
// follows the ground at this rate.
inline constexpr double kGroundAheadS = 1;
inline constexpr double kFollowPerS = 2;
// The tangent of the angle below the horizon at which it looks.
inline constexpr double kDownward = 0.2;

// A camera that knows its way. Not thread-safe.
class FlightCamera {
 public:
  virtual ~FlightCamera() = default;
  FlightCamera(const FlightCamera&) = delete;
  FlightCamera& operator=(const FlightCamera&) = delete;

  const Camera& camera() const { return camera_; }
  // How far MoveTo has moved the camera, in metres.
  double flown_m() const { return flown_m_; }

  // How long the flight takes.
  virtual double seconds() const = 0;
  // Moves the camera to its position at a time of the flight. The previous frame was since_last_s
  // ago.
  virtual void MoveTo(double seconds, double since_last_s) = 0;
  // Moves the camera up or down by a share of the way to its height above the ground.
  virtual void Follow(double share) = 0;
  // Ends the flight: from now on the camera has no velocity.
  virtual void Stop() = 0;

 protected:
  explicit FlightCamera(const FlyArguments& arguments) {
    camera_.viewport_height_px = arguments.viewport_px;
    camera_.tolerated_error_px = arguments.tolerance_px;
    camera_.range_m = arguments.range_m;
  }

  Camera camera_;
  double flown_m_ = 0;
};

// Returns where a flight over a plane begins: where the arguments say, else in the middle of the
// world's showplace. The height is the arguments', above the datum.
Vector3 StartOf(const FlyArguments& arguments, const WorldInfo& world);

// A camera that flies straight ahead over a plane. Keeps the arguments' speed, heading and height
// above the ground. The view and the arguments must outlive it.
class PlaneCamera final : public FlightCamera {
 public:
  PlaneCamera(const TerrainView& view, const FlyArguments& arguments);

  double seconds() const override { return arguments_.seconds; }
  void MoveTo(double seconds, double since_last_s) override;
  void Follow(double share) override;
  void Stop() override { camera_.velocity_m_s = {}; }

 private:
  const TerrainView& view_;
  const FlyArguments& arguments_;
  const Vector3 start_m_;
  Vector3 forward_;
};

// A camera that follows a path over a planet. Keeps the path's height above the ground. It looks
// where the path leads, a little below the horizon: from orbit that is down to the planet, near the
// ground it is ahead.
class PlanetCamera final : public FlightCamera {
 public:
  // Returns the height of the ground in metres, or nothing where it is unknown.
  using GroundHeight = std::function<std::optional<double>(const LatLong&)>;

  PlanetCamera(PlanetPath path, double radius_m, GroundHeight ground,
               const FlyArguments& arguments);

  double seconds() const override { return path_.seconds(); }
  void MoveTo(double seconds, double since_last_s) override;
  void Follow(double share) override;
  void Stop() override { camera_.in_space->velocity_m_s = {}; }

 private:
  // Returns the height of the ground that the path is over at a time.
  std::optional<double> GroundAt(double seconds) const;
  // Returns the path's point at a time, over the ground as high as it is here.
  sphere::Vector PointAt(double seconds) const;
  void Turn(double share);
  void Place();
  void SetVelocity();

  const PlanetPath path_;
  const double radius_m_;
  const GroundHeight ground_;
  const double min_range_m_;
  const double forecast_s_;
  double time_s_ = 0;
  // The height of the ground that the camera follows.
  double ground_m_ = 0;
  sphere::Vector position_;
  // The horizontal direction of view, of length 1.
  sphere::Vector forward_;
};

}  // namespace thalweg::cli
