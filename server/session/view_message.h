// A client's view, checked.
#pragma once

#include <cstdint>

#include "absl/status/statusor.h"
#include "proto/lod/view.h"
#include "thalweg/v1/session.pb.h"

namespace thalweg::session {

struct SessionView {
  std::uint64_t id = 0;
  lod::View view;
  // How far ahead to look along the velocity.
  double lookahead_s = 0;
};

// INVALID_ARGUMENT names the field that is out of its range.
absl::StatusOr<SessionView> FromProto(const v1::View& message);

}  // namespace thalweg::session
