// Which layers a stage needs and makes, of those that exist only where a stage writes them.
#pragma once

#include "server/stages/layer.h"

namespace thalweg::stages {

struct LayerAccess {
  LayerSet reads;
  LayerSet writes;
};

// Of a stage that says nothing else. `message` is the stage's message, `sea`: whether the world has
// a sea, which is water enough.
template <typename Message>
LayerAccess AccessOf(const Message& /*message*/, bool /*sea*/) {
  return {};
}

}  // namespace thalweg::stages
