#include "server/backend/vulkan/exceptions.h"

#include <new>
#include <vulkan/vulkan.hpp>

#include "absl/strings/str_cat.h"

namespace thalweg::backend::vulkan {

absl::Status StatusOf(absl::string_view operation, const std::exception& exception) {
  const std::string message = absl::StrCat(operation, ": ", exception.what());
  if (dynamic_cast<const vk::DeviceLostError*>(&exception) != nullptr) {
    return absl::UnavailableError(absl::StrCat(operation, ": device lost"));
  }
  if (dynamic_cast<const vk::OutOfDeviceMemoryError*>(&exception) != nullptr ||
      dynamic_cast<const vk::TooManyObjectsError*>(&exception) != nullptr ||
      dynamic_cast<const vk::OutOfHostMemoryError*>(&exception) != nullptr ||
      dynamic_cast<const std::bad_alloc*>(&exception) != nullptr) {
    return absl::ResourceExhaustedError(message);
  }
  return absl::InternalError(message);
}

}  // namespace thalweg::backend::vulkan
