// The messages of the validation layer.
#pragma once

#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"

namespace thalweg::backend::vulkan {

// Thread-safe. Keeps every message.
class MessageLog {
 public:
  void Add(std::string message) ABSL_LOCKS_EXCLUDED(mutex_);
  std::vector<std::string> messages() const ABSL_LOCKS_EXCLUDED(mutex_);

  // INTERNAL, with the first message, if the log has messages.
  absl::Status status() const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  mutable absl::Mutex mutex_;
  std::vector<std::string> messages_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace thalweg::backend::vulkan
