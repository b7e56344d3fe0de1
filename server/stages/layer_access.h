// Which layers a stage needs and makes, of those that exist only where a stage writes them.
#pragma once

#include "server/stages/layer.h"

namespace thalweg::stages {

struct LayerAccess {
  LayerSet reads;
  LayerSet writes;
};

// The default of a stage. `message` is the stage's message, `sea`: whether the world has a sea,
// which counts as water.
template <typename Message>
LayerAccess AccessOf(const Message& /*message*/, bool /*sea*/) {
  return {};
}

}  // namespace thalweg::stages
