// Runs recorded dispatches on one window, on the calling thread.
#pragma once

#include <span>

#include "server/backend/parts.h"
#include "server/backend/reference/bindings.h"

namespace thalweg::backend {

// Runs the segments in order, over all windows. The bindings' buffers must be as large as the
// recording says.
void Execute(std::span<const Segment> segments, const kernels::Bindings& bindings, int windows);

}  // namespace thalweg::backend
