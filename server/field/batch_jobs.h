// A batch as the backend takes it.
#pragma once

#include <vector>

#include "absl/status/status.h"
#include "server/backend/backend.h"
#include "server/field/block_graph.h"

namespace thalweg::field {

// The backend's jobs for a batch: one for each block, or one for four siblings.
std::vector<backend::Job> JobsOf(const Batch& batch);

// A run's error, with the batch named in its message.
absl::Status Annotated(const absl::Status& status, const Batch& batch);

}  // namespace thalweg::field
