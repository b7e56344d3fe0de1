// The backends that every invariant is tested on.
#pragma once

#include <memory>
#include <string>

#include "gtest/gtest.h"
#include "server/backend/backend.h"

namespace thalweg::parity {

// Makes the backend that --device names, with validation on. If there is none, the calling test
// fails and the result is null.
std::unique_ptr<backend::Backend> MakeBackend(const std::string& device);

// The parameters of a suite: the reference, and the best Vulkan device.
inline const auto kDevices = testing::Values("reference", "auto");
std::string NameOfDevice(const testing::TestParamInfo<const char*>& device);

}  // namespace thalweg::parity
