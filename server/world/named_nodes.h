// Nodes of a noise graph that have names, and may be used any number of times.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "thalweg/v1/world.pb.h"

namespace thalweg::world {

// INVALID_ARGUMENT unless names are valid and distinct, and each use names a node that is defined
// before it.
absl::Status CheckNamedNodes(const v1::WorldSpec& spec);

// The specification without the named nodes that neither base nor steepness uses, itself or through
// others. They decide nothing.
v1::WorldSpec WithoutUnusedNodes(const v1::WorldSpec& spec);

// What an author may not have meant, with the field's path: "nodes[0]: nothing uses the node 'x'".
std::vector<std::string> WarningsOf(const v1::WorldSpec& spec);

// A graph of the specification with each use replaced by the node itself: a tree of at most
// kMaxBaseInstructions nodes, else INVALID_ARGUMENT. `path` names the graph's field. The
// specification must have passed CheckNamedNodes.
absl::StatusOr<v1::Node> Expanded(const v1::WorldSpec& spec, const std::string& path,
                                  const v1::Node& graph);

}  // namespace thalweg::world
