// Decides what to draw and what is missing, for a camera and the loaded tiles.
#pragma once

#include <cstddef>

#include "proto/lod/drawable.h"
#include "proto/lod/selection.h"
#include "thalweg/camera.h"

namespace thalweg {

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

  CameraPlan Plan(const Camera& camera, const lod::Grid& grid, lod::FactsOf facts_of,
                  lod::IsLoaded is_loaded);

 private:
  const std::size_t tile_bytes_;
  const std::size_t budget_bytes_;
  double tolerance_scale_ = 1;
};

}  // namespace thalweg
