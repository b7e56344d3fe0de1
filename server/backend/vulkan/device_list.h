// The Vulkan devices of this machine: what they are, which can be used, which is best.
#pragma once

#include <string>
#include <string_view>
#include <vector>
#include <vulkan/vulkan_raii.hpp>

#include "absl/status/statusor.h"
#include "server/backend/device_info.h"
#include "server/backend/vulkan/instance.h"

namespace thalweg::backend::vulkan {

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
