// The Vulkan instance, with or without validation.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>
#include <vulkan/vulkan_raii.hpp>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "server/backend/backend.h"

namespace thalweg::backend::vulkan {

// The messages of the validation layer. Thread-safe. Keeps every message.
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

class Instance {
 public:
  // With validation, the validation layer checks every call and its synchronisation. Its messages
  // go to the log, which the instance holds. NOT_FOUND, naming the package to install, if the
  // Vulkan loader, the driver or the validation layer is missing.
  static absl::StatusOr<std::shared_ptr<const Instance>> Create(bool validation,
                                                                std::shared_ptr<MessageLog> log);

  const vk::raii::Instance& handle() const { return instance_; }

 private:
  Instance(std::shared_ptr<MessageLog> log, vk::raii::Context context, vk::raii::Instance instance,
           vk::raii::DebugUtilsMessengerEXT messenger);

  // The order matters: members are destroyed from the last to the first.
  std::shared_ptr<MessageLog> log_;
  vk::raii::Context context_;
  vk::raii::Instance instance_;
  vk::raii::DebugUtilsMessengerEXT messenger_;
};

// A device that is not opened yet.
struct Candidate {
  vk::raii::PhysicalDevice physical;
  DeviceInfo info;
};

// Every device, in the order of the loader.
std::vector<Candidate> Candidates(const Instance& instance);

// Chooses by "vulkan" (discrete, integrated, virtual, CPU; the first of equals) or by index.
// NOT_FOUND if no device is usable or has the index; INVALID_ARGUMENT if `choice` is neither
// "vulkan" nor an index; FAILED_PRECONDITION if the device can't be used. The message lists the
// devices.
absl::StatusOr<Candidate> Choose(std::vector<Candidate> candidates, std::string_view choice);

}  // namespace thalweg::backend::vulkan
