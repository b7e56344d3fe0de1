// Conversion of cameras to the views of `proto/lod` and of the contract.
#pragma once

#include "absl/status/status.h"
#include "proto/lod/grid.h"
#include "proto/lod/view.h"
#include "thalweg/camera.h"
#include "thalweg/v1/session.pb.h"

namespace thalweg {

// The camera's position and direction: in space if the camera has such, otherwise on a plane.
struct Pose {
  lod::Vector position;
  lod::Vector velocity;
  lod::Vector direction;
};
Pose PoseOf(const Camera& camera);

// INVALID_ARGUMENT, naming the field, if a view over a world of the shape can't have the camera.
absl::Status CheckCamera(const Camera& camera, wire::Shape shape);

// The camera as a view that reaches a little farther than the camera does, so that ground is at
// hand before it comes into range: by a sixteenth, or by ten seconds' flight. Its tolerated error
// is multiplied by the scale. The camera must be sound.
lod::View ViewOf(const Camera& camera, const lod::Grid& grid, double tolerance_scale);

// How far the camera's ground is drawn in a world, in metres.
double DrawnRangeM(const Camera& camera, const lod::Grid& grid);

// Of a view over a world of the shape.
v1::View ToMessage(const lod::View& view, wire::Shape shape, double lookahead_s);

}  // namespace thalweg
