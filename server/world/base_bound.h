// How large the values of a noise graph can become.
#pragma once

#include "thalweg/v1/world.pb.h"

namespace thalweg::world {

// A bound of the absolute values of all that is computed for a node, in the node's unit. The node
// must have passed Normalise.
double LargestMagnitude(const v1::Node& node);

// A bound of the absolute value of the node's own result. It is lower than the bound above where a
// curve limits a larger value.
double LargestValue(const v1::Node& node);

}  // namespace thalweg::world
