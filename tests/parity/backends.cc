#include "tests/parity/backends.h"

#include <map>
#include <memory>

#include "absl/strings/ascii.h"
#include "server/backend/factory/backend_factory.h"

namespace thalweg::parity {
namespace {

// The backends of this program's tests. They end before the program does.
class Backends : public testing::Environment {
 public:
  static inline std::map<std::string, std::unique_ptr<backend::Backend>> opened;

  void TearDown() override { opened.clear(); }
};

const auto* const kBackends = testing::AddGlobalTestEnvironment(new Backends);

}  // namespace

backend::Backend* BackendOf(const std::string& device) {
  auto& opened = Backends::opened[device];
  if (opened != nullptr) return opened.get();
  backend::BackendOptions options;
  options.vulkan.device = device == "joined" ? "vulkan" : device;
  options.vulkan.join_sweeps = device == "joined";
  options.vulkan.validation = true;
  auto backend = backend::CreateBackend(options);
  EXPECT_TRUE(backend.ok()) << backend.status();
  if (backend.ok()) opened = *std::move(backend);
  return opened.get();
}

std::string NameOfDevice(const testing::TestParamInfo<const char*>& device) {
  std::string name = device.param;
  name.front() = absl::ascii_toupper(static_cast<unsigned char>(name.front()));
  return name;
}

}  // namespace thalweg::parity
