// Conversion of cameras to the views of `proto/lod` and of the contract.
#pragma once

#include "absl/status/status.h"
#include "proto/lod/grid.h"
#include "proto/lod/view.h"
#include "thalweg/camera.h"
#include "thalweg/v1/session.pb.h"

namespace thalweg {

// The camera's position and direction: in space if the camera has in_space, else on a plane.
struct Pose {
  lod::Vector position;
  lod::Vector velocity;
  lod::Vector direction;
};
Pose PoseOf(const Camera& camera);

// INVALID_ARGUMENT, naming the field, for a camera that is not valid over a world of this shape.
absl::Status CheckCamera(const Camera& camera, wire::Shape shape);

// Returns the camera as a view that reaches farther, by a sixteenth or by ten seconds' flight, so
// that ground is loaded before it comes into range. Its tolerated error is multiplied by the scale.
// The camera must have passed CheckCamera.
lod::View ViewOf(const Camera& camera, const lod::Grid& grid, double tolerance_scale);

// Returns how far the camera's ground is drawn in a world, in metres.
double DrawnRangeM(const Camera& camera, const lod::Grid& grid);

// Returns the message of a view over a world of this shape.
v1::View ToMessage(const lod::View& view, wire::Shape shape, double lookahead_s);

}  // namespace thalweg
