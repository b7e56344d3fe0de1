// A camera that follows a path over a planet.
#pragma once

#include <functional>
#include <optional>

#include "client/cli/flight_camera.h"
#include "client/cli/planet_path.h"
#include "proto/lod/view.h"
#include "thalweg/planet.h"

namespace thalweg::cli {

// Keeps the path's height above the ground. It looks where the path leads, a little below the
// horizon: from orbit that is down to the planet, near the ground it is ahead.
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
  lod::Vector PointAt(double seconds) const;
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
  lod::Vector position_;
  // The horizontal direction of view, of length 1.
  lod::Vector forward_;
};

}  // namespace thalweg::cli
