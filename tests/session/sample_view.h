// A camera for tests of sessions.
#pragma once

#include <cstdint>

#include "thalweg/v1/session.pb.h"

namespace thalweg::session {

// A camera over the middle of tile 0/0/0, or this far from it. It stands still and needs a few
// tiles of every level.
inline v1::View SampleView(std::uint64_t id, double east_m = 0, double south_m = 0) {
  v1::View view;
  view.set_id(id);
  view.mutable_position_m()->set_east(east_m);
  view.mutable_position_m()->set_south(south_m);
  view.mutable_position_m()->set_up(2'000);
  view.mutable_direction()->set_south(-1);
  view.mutable_direction()->set_up(-0.3);
  view.set_vertical_fov_deg(60);
  view.set_aspect(1.5);
  view.set_viewport_height_px(100);
  view.set_tolerated_error_px(4);
  view.set_range_m(20'000);
  return view;
}

}  // namespace thalweg::session
