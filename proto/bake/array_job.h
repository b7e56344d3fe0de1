// Which of an array's jobs this process is.
#pragma once

#include <optional>

namespace thalweg::bake {

// The index that Slurm, Kubernetes or AWS Batch gives a job of an array, in the environment.
std::optional<int> IndexInArray();

}  // namespace thalweg::bake
