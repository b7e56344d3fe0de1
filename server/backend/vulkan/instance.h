// The Vulkan instance, with or without validation.
#pragma once

#include <memory>
#include <vulkan/vulkan_raii.hpp>

#include "absl/status/statusor.h"
#include "server/backend/vulkan/message_log.h"

namespace thalweg::backend::vulkan {

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

}  // namespace thalweg::backend::vulkan
