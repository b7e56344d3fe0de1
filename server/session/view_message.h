// A client's view, after the checks.
#pragma once

#include <cstdint>

#include "absl/status/statusor.h"
#include "proto/lod/view.h"
#include "proto/wire/tile_key.h"
#include "thalweg/v1/session.pb.h"

namespace thalweg::session {

struct SessionView {
  std::uint64_t id = 0;
  lod::View view;
  // How many seconds ahead to look along the velocity.
  double lookahead_s = 0;
};

// A view of a world of this shape. INVALID_ARGUMENT names a field that is out of range, or belongs
// to the other shape's worlds.
absl::StatusOr<SessionView> FromProto(const v1::View& message, wire::Shape shape);

}  // namespace thalweg::session
