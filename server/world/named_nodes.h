// Nodes that several places of a noise graph use by their names.
#pragma once

#include "absl/status/statusor.h"
#include "thalweg/v1/world.pb.h"

namespace thalweg::world {

// INVALID_ARGUMENT unless names are good and distinct, every use is of a node that stands before
// it, and every named node is used.
absl::Status CheckNamedNodes(const v1::WorldSpec& spec);

// The base with each use replaced by the node itself: a tree of at most kMaxBaseInstructions nodes,
// else INVALID_ARGUMENT. The specification must have passed CheckNamedNodes.
absl::StatusOr<v1::Node> ExpandedBase(const v1::WorldSpec& spec);

}  // namespace thalweg::world
