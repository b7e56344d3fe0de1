// Shapes that a specification places in a world, as instructions of the base's machine
// (shaders/kernels/placed.glsl).
#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "server/world/base_compiler.h"
#include "thalweg/v1/world.pb.h"

namespace thalweg::world {

// A value by the distance from a shape.
struct Profile {
  // In units of the distance that the node gives, in order.
  std::vector<v1::Point> points;
  bool smooth = false;
};

// Whether a node is radial, along, inside or gradient.
bool IsPlaced(const v1::Node& node);

// INVALID_ARGUMENT names the field of a placed node, at `path`, whose position is of the other kind
// of world, whose points lie on or too far from each other, whose outline crosses itself, or whose
// profile does not rise or reaches too far. The specification must have passed Normalise.
absl::Status CheckPlaced(const std::string& path, const v1::Node& node, const v1::WorldSpec& spec);

// The profile of a placed node that has passed CheckPlaced, over what DistanceTo leaves.
Profile ProfileOf(const v1::Node& node, const NoiseGrid& grid);

// Instructions that measure the distance to the node's shape. The last one pushes it, in the units
// of the profile.
std::vector<kernels::BaseInstruction> DistanceTo(const v1::Node& node, const NoiseGrid& grid);

}  // namespace thalweg::world
