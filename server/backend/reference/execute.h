// Runs a recorded dispatch on one block, on the calling thread.
#pragma once

#include "server/backend/host/host_backend.h"

namespace thalweg::backend {

void ExecutePlainly(const stages::Dispatch& dispatch, const HostBlockState& state);

}  // namespace thalweg::backend
