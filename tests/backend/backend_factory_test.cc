#include "server/backend/factory/backend_factory.h"

#include <cstdlib>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace thalweg::backend {
namespace {

using ::testing::HasSubstr;

BackendOptions OptionsFor(const std::string& device) {
  BackendOptions options;
  options.vulkan.device = device;
  options.vulkan.pipeline_cache = "off";
  return options;
}

// Hides every Vulkan driver until it is destroyed.
class NoDrivers {
 public:
  NoDrivers() {
    setenv("VK_ICD_FILENAMES", "/nonexistent.json", 1);
    setenv("VK_DRIVER_FILES", "/nonexistent.json", 1);
  }
  ~NoDrivers() {
    unsetenv("VK_ICD_FILENAMES");
    unsetenv("VK_DRIVER_FILES");
  }
  NoDrivers(const NoDrivers&) = delete;
  NoDrivers& operator=(const NoDrivers&) = delete;
};

TEST(ListDevicesTest, NamesDevicesInOrder) {
  const auto devices = ListDevices();
  ASSERT_TRUE(devices.ok()) << devices.status();
  ASSERT_FALSE(devices->empty());
  for (std::size_t i = 0; i < devices->size(); ++i) {
    const DeviceInfo& device = (*devices)[i];
    EXPECT_EQ(device.index, static_cast<int>(i));
    EXPECT_NE(device.name, "");
    EXPECT_NE(device.type, "");
    EXPECT_NE(device.driver, "");
  }
}

TEST(ListDevicesTest, SaysWhatToInstallWithoutDrivers) {
  const NoDrivers none;
  const auto devices = ListDevices();
  EXPECT_EQ(devices.status().code(), absl::StatusCode::kNotFound) << devices.status();
  EXPECT_THAT(std::string(devices.status().message()), HasSubstr("mesa-vulkan-drivers"));
  EXPECT_THAT(std::string(devices.status().message()), HasSubstr("--device native"));
}

TEST(CreateBackendTest, OpensTheBestDevice) {
  const auto backend = CreateBackend(OptionsFor("vulkan"));
  ASSERT_TRUE(backend.ok()) << backend.status();
  EXPECT_NE((*backend)->device_name(), "native");
  EXPECT_NE((*backend)->driver(), "");
}

TEST(CreateBackendTest, OpensByIndex) {
  const auto devices = ListDevices();
  ASSERT_TRUE(devices.ok()) << devices.status();
  for (const DeviceInfo& device : *devices) {
    const auto backend = CreateBackend(OptionsFor(std::to_string(device.index)));
    ASSERT_EQ(backend.ok(), device.usable()) << backend.status();
    if (!backend.ok()) continue;
    EXPECT_EQ((*backend)->device_name(), device.name);
  }
}

TEST(CreateBackendTest, OpensTheReferenceWithoutVulkan) {
  const NoDrivers none;
  const auto backend = CreateBackend(OptionsFor("reference"));
  ASSERT_TRUE(backend.ok()) << backend.status();
  EXPECT_EQ((*backend)->device_name(), "reference");
}

TEST(CreateBackendTest, ErrorsNameTheAvailableDevices) {
  const auto beyond = CreateBackend(OptionsFor("99"));
  EXPECT_EQ(beyond.status().code(), absl::StatusCode::kNotFound) << beyond.status();
  EXPECT_THAT(std::string(beyond.status().message()), HasSubstr("0 = "));
  const auto nonsense = CreateBackend(OptionsFor("fastest"));
  EXPECT_EQ(nonsense.status().code(), absl::StatusCode::kInvalidArgument) << nonsense.status();
  EXPECT_THAT(std::string(nonsense.status().message()), HasSubstr("reference"));
}

TEST(CreateBackendTest, SaysWhatToInstallWithoutDrivers) {
  const NoDrivers none;
  const auto backend = CreateBackend(OptionsFor("vulkan"));
  EXPECT_EQ(backend.status().code(), absl::StatusCode::kNotFound) << backend.status();
  EXPECT_THAT(std::string(backend.status().message()), HasSubstr("mesa-vulkan-drivers"));
}

TEST(CreateBackendTest, UsesTheProcessorWithoutAGpu) {
  const NoDrivers none;
  const auto backend = CreateBackend(OptionsFor("auto"));
  ASSERT_TRUE(backend.ok()) << backend.status();
  EXPECT_EQ((*backend)->device_name(), "native");
}

}  // namespace
}  // namespace thalweg::backend
