// The chosen device. It is opened again when it was lost.
#pragma once

#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "proto/wire/status_macros.h"
#include "server/backend/vulkan/compute_queue.h"
#include "server/backend/vulkan/device.h"
#include "server/backend/vulkan/exceptions.h"
#include "server/backend/vulkan/instance.h"
#include "server/backend/vulkan/vulkan_backend.h"

namespace thalweg::backend::vulkan {

// Used by one thread at a time. A backend uses Vulkan only through this class.
class LogicalDevice {
 public:
  // Throws Vulkan's exceptions.
  static absl::StatusOr<std::unique_ptr<LogicalDevice>> Create(
      std::shared_ptr<const Instance> instance, std::shared_ptr<MessageLog> log,
      vk::raii::PhysicalDevice physical, const VulkanOptions& options);

  // Calls a function of the queue. If the device is lost, gives up everything on it and returns
  // UNAVAILABLE.
  template <typename Function>
  auto Call(absl::string_view operation, Function&& function)
      -> decltype(function(std::declval<ComputeQueue&>())) {
    if (queue_ == nullptr) THALWEG_RETURN_IF_ERROR(OpenAgain());
    return CallOn(queue_, operation, [&] { return function(*queue_); });
  }

  // Calls a function of a run that began on this queue. UNAVAILABLE also if that queue was lost
  // meanwhile.
  template <typename Function>
  auto CallOn(const std::shared_ptr<ComputeQueue>& queue, absl::string_view operation,
              Function&& function) -> decltype(function()) {
    if (queue != queue_) {
      return absl::UnavailableError(absl::StrCat(operation, ": device lost"));
    }
    auto result = CatchExceptions(operation, function);
    // Functions of the queue return UNAVAILABLE only when the device is lost.
    if (absl::IsUnavailable(StatusIn(result))) {
      queue_.reset();
      // If the device can't be opened now, the next call tries again and returns the reason.
      OpenAgain().IgnoreError();
    }
    return result;
  }

  // Null if the device was lost and could not be opened again yet. Runs hold their queue.
  const std::shared_ptr<ComputeQueue>& queue() const { return queue_; }
  const Traits& traits() const { return traits_; }
  const VulkanOptions& options() const { return options_; }
  const MessageLog& log() const { return *log_; }

 private:
  LogicalDevice(std::shared_ptr<const Instance> instance, std::shared_ptr<MessageLog> log,
                vk::raii::PhysicalDevice physical, const VulkanOptions& options);

  static const absl::Status& StatusIn(const absl::Status& status) { return status; }
  template <typename T>
  static const absl::Status& StatusIn(const absl::StatusOr<T>& result) {
    return result.status();
  }

  absl::Status Open();
  absl::Status OpenAgain();

  const std::shared_ptr<MessageLog> log_;
  const std::shared_ptr<const Instance> instance_;
  const vk::raii::PhysicalDevice physical_;
  const VulkanOptions options_;
  Traits traits_;
  std::shared_ptr<ComputeQueue> queue_;
};

}  // namespace thalweg::backend::vulkan
