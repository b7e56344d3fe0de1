#include "server/backend/vulkan/message_log.h"

#include <utility>

#include "absl/strings/str_cat.h"

namespace thalweg::backend::vulkan {

void MessageLog::Add(std::string message) {
  absl::MutexLock lock(&mutex_);
  messages_.push_back(std::move(message));
}

std::vector<std::string> MessageLog::messages() const {
  absl::MutexLock lock(&mutex_);
  return messages_;
}

absl::Status MessageLog::status() const {
  absl::MutexLock lock(&mutex_);
  if (messages_.empty()) return absl::OkStatus();
  return absl::InternalError(absl::StrCat("expected no message of Vulkan's validation, got ",
                                          messages_.size(), ", the first: ", messages_.front()));
}

}  // namespace thalweg::backend::vulkan
