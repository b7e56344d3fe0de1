// The backends that every invariant is tested on.
#pragma once

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "server/backend/backend.h"
#include "tests/size.h"

namespace thalweg::parity {

// The backend that --device names, with validation on. The tests of a program share it, since a
// Vulkan device takes seconds to compile its kernels. If there is none, the calling test fails and
// the result is null.
backend::Backend* BackendOf(const std::string& device);

// The parameters of a suite: the processor's own kernels, the best Vulkan device, and in an
// exhaustive run the reference, which is slow and whose bits the others have.
inline const auto kDevices =
    testing::ValuesIn(IsExhaustive() ? std::vector<const char*>{"reference", "native", "vulkan"}
                                     : std::vector<const char*>{"native", "vulkan"});
// What must equal the reference: these two, and the Vulkan device with the kernels that only GPUs
// use by default.
inline const auto kComparedDevices = testing::Values("native", "vulkan", "joined");
// For statistics of land. They are the same on every device, since other tests prove that the bits
// are.
inline const auto kDevicesOfStatistics =
    testing::ValuesIn(IsExhaustive() ? std::vector<const char*>{"reference", "vulkan"}
                                     : std::vector<const char*>{"native"});
// For laws of planets, of ground and of rivers, each of which costs seconds: other tests prove that
// every device computes the same.
inline const auto kDevicesOfLaws =
    testing::ValuesIn(IsExhaustive() ? std::vector<const char*>{"reference", "native", "vulkan"}
                                     : std::vector<const char*>{"native"});
std::string NameOfDevice(const testing::TestParamInfo<const char*>& device);

// A device that is compared with the reference.
class ComparedDeviceTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    device_ = BackendOf(GetParam());
    reference_ = BackendOf("reference");
    ASSERT_NE(device_, nullptr);
    ASSERT_NE(reference_, nullptr);
    ASSERT_NE(device_->device_name(), reference_->device_name()) << "compared with itself";
  }

  backend::Backend* device_ = nullptr;
  backend::Backend* reference_ = nullptr;
};

}  // namespace thalweg::parity
