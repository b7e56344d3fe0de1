// Decides what to draw and what is missing, for a camera and the loaded tiles.
#pragma once

#include <cstddef>

#include "absl/status/status.h"
#include "proto/geometry/drawable.h"
#include "proto/geometry/selection.h"
#include "proto/geometry/surface.h"
#include "proto/geometry/vector.h"
#include "proto/geometry/view.h"
#include "thalweg/camera.h"
#include "thalweg/v1/session.pb.h"

namespace thalweg {

// The camera's position and direction: in space if the camera has in_space, else on a plane.
struct Pose {
  sphere::Vector position;
  sphere::Vector velocity;
  sphere::Vector direction;
};
Pose PoseOf(const Camera& camera);

// INVALID_ARGUMENT, naming the field, for a camera that is not valid over a world of this shape.
absl::Status CheckCamera(const Camera& camera, wire::Shape shape);

// Returns the camera as a view that reaches farther, by a sixteenth or by ten seconds' flight, so
// that ground is loaded before it comes into range. Its tolerated error is multiplied by the scale.
// The camera must have passed CheckCamera.
lod::View ViewOf(const Camera& camera, const lod::WorldGrid& grid, double tolerance_scale);

// Returns how far the camera's ground is drawn in a world, in metres.
double DrawnRangeM(const Camera& camera, const lod::WorldGrid& grid);

// Returns the message of a view over a world of this shape.
v1::View ToMessage(const lod::View& view, wire::Shape shape, double lookahead_s);

// The decision for a camera.
struct CameraPlan {
  // The view to send to the server.
  lod::View view;
  double tolerance_scale = 1;
  // Whether there is memory for more tiles than the camera needs now.
  bool room_ahead = true;
  lod::Selection selection;
  lod::Drawable drawable;
};

// Chooses a camera's tiles, and coarser ones if they exceed the memory budget. Not thread-safe.
class CameraPlanner {
 public:
  CameraPlanner(std::size_t tile_bytes, std::size_t budget_bytes)
      : tile_bytes_(tile_bytes), budget_bytes_(budget_bytes) {}

  CameraPlan Plan(const Camera& camera, const lod::WorldGrid& grid, lod::FactsOf facts_of,
                  lod::IsLoaded is_loaded);

 private:
  const std::size_t tile_bytes_;
  const std::size_t budget_bytes_;
  double tolerance_scale_ = 1;
};

}  // namespace thalweg
