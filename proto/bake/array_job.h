// Which job of an array this process is.
#pragma once

#include <optional>

namespace thalweg::bake {

// Returns the job index that Slurm, Kubernetes or AWS Batch put into the environment.
std::optional<int> IndexInArray();

}  // namespace thalweg::bake
