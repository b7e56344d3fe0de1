// A camera that flies straight ahead over a plane.
#pragma once

#include "client/cli/flight_camera.h"
#include "thalweg/terrain_view.h"

namespace thalweg::cli {

// Keeps the arguments' speed, heading and height above the ground. The view and the arguments must
// outlive it.
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
  Vector3 forward_;
};

}  // namespace thalweg::cli
