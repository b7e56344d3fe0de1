// How deep the nodes of a specification may be in each other.
#pragma once

#include "absl/status/status.h"
#include "thalweg/v1/world.pb.h"

namespace thalweg::text {

// Far below the depth at which Protobuf stops reading and printing (100 messages, JSON fewer), and
// far above what people write: presets have 5 at most.
inline constexpr int kMaxNodeDepth = 16;

// INVALID_ARGUMENT if nodes are in each other more than kMaxNodeDepth deep. Goes no deeper itself,
// so that it may be the first to look at a specification from outside.
absl::Status CheckNodeDepth(const v1::WorldSpec& spec);

}  // namespace thalweg::text
