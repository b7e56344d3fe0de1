#include "client/src/view/camera_planner.h"

#include <algorithm>

#include "client/src/view/camera_message.h"

namespace thalweg {
namespace {

// The part of the memory that a camera may need; the rest is for ground ahead and behind.
constexpr double kMaxShare = 0.8;
// Below this part there is room for tiles ahead, and a raised tolerance is lowered again.
constexpr double kAmpleShare = 0.6;
constexpr double kScaleStep = 1.2;
// The largest error that a view may tolerate is 1,000 pixels.
constexpr double kMaxScale = 10'000;

}  // namespace

CameraPlan CameraPlanner::Plan(const Camera& camera, const lod::Grid& grid, lod::FactsOf facts_of,
                               lod::IsLoaded is_loaded) {
  const auto select = [&](double scale) {
    return lod::Selection::Of(ViewOf(camera, grid, scale), grid, facts_of);
  };
  const auto share = [this](const lod::Selection& selection) {
    return static_cast<double>(selection.tiles().size() * tile_bytes_) /
           static_cast<double>(budget_bytes_);
  };
  CameraPlan plan;
  plan.selection = select(tolerance_scale_);
  while (share(plan.selection) > kMaxShare && tolerance_scale_ < kMaxScale) {
    tolerance_scale_ *= kScaleStep;
    plan.selection = select(tolerance_scale_);
  }
  // Lowers the tolerance one step at a time, and only if that fits, so that it does not oscillate.
  if (tolerance_scale_ > 1 && share(plan.selection) < kAmpleShare) {
    const double less = std::max(tolerance_scale_ / kScaleStep, 1.0);
    lod::Selection finer = select(less);
    if (share(finer) <= kMaxShare) {
      tolerance_scale_ = less;
      plan.selection = std::move(finer);
    }
  }
  plan.tolerance_scale = tolerance_scale_;
  plan.room_ahead = share(plan.selection) < kAmpleShare;
  plan.view = ViewOf(camera, grid, tolerance_scale_);
  plan.drawable = lod::DrawableOf(plan.selection, is_loaded);
  return plan;
}

}  // namespace thalweg
