#include "proto/bake/array_job.h"

#include <cstdlib>

#include "absl/strings/numbers.h"

namespace thalweg::bake {

std::optional<int> IndexInArray() {
  for (const char* name :
       {"SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX", "AWS_BATCH_JOB_ARRAY_INDEX"}) {
    const char* const text = std::getenv(name);
    int index = -1;
    if (text != nullptr && absl::SimpleAtoi(text, &index)) return index;
  }
  return std::nullopt;
}

}  // namespace thalweg::bake
