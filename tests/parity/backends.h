// The backends that every invariant is tested on.
#pragma once

#include <memory>
#include <string>

#include "gtest/gtest.h"
#include "server/backend/backend.h"

namespace thalweg::parity {

// The backend of a name as --device takes it, with validation on. Fails the calling test, and is
// null, when there is none.
std::unique_ptr<backend::Backend> MakeBackend(const std::string& device);

// The parameters of a suite: the reference, and the best Vulkan device.
inline const auto kDevices = testing::Values("reference", "auto");
std::string NameOfDevice(const testing::TestParamInfo<const char*>& device);

}  // namespace thalweg::parity
