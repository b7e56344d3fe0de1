// The layers that a stage reads and writes, of those that exist only if a stage writes them.
#pragma once

#include "server/stages/layer.h"

namespace thalweg::stages {

struct LayerAccess {
  LayerSet reads;
  LayerSet writes;
};

// The access of a stage that has no function of its own: none. `message` is the stage's message;
// `sea`: whether the world has a sea, which counts as water.
template <typename Message>
LayerAccess AccessOf(const Message& /*message*/, bool /*sea*/) {
  return {};
}

}  // namespace thalweg::stages
