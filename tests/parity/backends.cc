#include "tests/parity/backends.h"

#include "server/backend/backend_factory.h"

namespace thalweg::parity {

std::unique_ptr<backend::Backend> MakeBackend(const std::string& device) {
  backend::BackendOptions options;
  options.vulkan.device = device;
  options.vulkan.validation = true;
  auto backend = backend::CreateBackend(options);
  EXPECT_TRUE(backend.ok()) << backend.status();
  return backend.ok() ? std::move(*backend) : nullptr;
}

std::string NameOfDevice(const testing::TestParamInfo<const char*>& device) {
  return std::string(device.param) == "auto" ? "Vulkan" : "Reference";
}

}  // namespace thalweg::parity
