// The camera of a flight.
#pragma once

#include "client/cli/arguments.h"
#include "thalweg/camera.h"

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

}  // namespace thalweg::cli
