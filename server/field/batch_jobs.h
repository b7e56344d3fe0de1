// A batch as the backend takes it.
#pragma once

#include <vector>

#include "absl/status/status.h"
#include "server/backend/backend.h"
#include "server/field/block_graph.h"

namespace thalweg::field {

// What a backend is to run for a batch: a job a block, or one for four siblings.
std::vector<backend::Job> JobsOf(const Batch& batch);

// A run's error, with what was run.
absl::Status Annotated(const absl::Status& status, const Batch& batch);

}  // namespace thalweg::field
