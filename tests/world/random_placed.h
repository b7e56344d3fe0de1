// Random placed nodes.
#pragma once

#include <random>

#include "thalweg/v1/world.pb.h"

namespace thalweg::world {

// Where placed nodes may be.
struct Surroundings {
  bool on_sphere = false;
  // On a plane: how far from the origin. On a sphere they are anywhere on it; there it is how large
  // they are.
  double size_m = 1;
};

// A radial, along, inside or gradient node whose values are at most `largest`. Valid in every such
// world whose sphere has a radius of at least 2 sizes.
v1::Node RandomPlaced(std::mt19937_64& random, const Surroundings& around, double largest);

}  // namespace thalweg::world
