// A camera as the choice of levels and the contract have it.
#pragma once

#include "absl/status/status.h"
#include "proto/lod/grid.h"
#include "proto/lod/view.h"
#include "thalweg/camera.h"
#include "thalweg/v1/session.pb.h"

namespace thalweg {

// INVALID_ARGUMENT, naming the field, unless the camera is one that a view may have.
absl::Status CheckCamera(const Camera& camera);

// The camera as a view that reaches a little farther than the camera does, so that ground is at
// hand before it comes into range: by a sixteenth, or by ten seconds' flight. Its tolerated error
// is multiplied by the scale. The camera must be sound.
lod::View ViewOf(const Camera& camera, const lod::Grid& grid, double tolerance_scale);

// How far the camera's ground is drawn in a world, in metres.
double DrawnRangeM(const Camera& camera, const lod::Grid& grid);

v1::View ToMessage(const lod::View& view, double lookahead_s);

}  // namespace thalweg
