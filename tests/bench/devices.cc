#include "tests/bench/devices.h"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "server/backend/factory/backend_factory.h"
#include "tests/backend/forwarding_backend.h"

namespace thalweg::bench {

backend::Backend& Device(const std::string& device, int threads, std::size_t scratch_budget_bytes) {
  using Key = std::tuple<std::string, int, std::size_t>;
  static std::map<Key, std::unique_ptr<backend::Backend>> opened;
  std::unique_ptr<backend::Backend>& place = opened[{device, threads, scratch_budget_bytes}];
  if (place == nullptr) {
    backend::BackendOptions options;
    options.vulkan.device = device;
    options.threads = threads;
    options.vulkan.scratch_budget_bytes = scratch_budget_bytes;
    absl::StatusOr<std::unique_ptr<backend::Backend>> backend = backend::CreateBackend(options);
    if (!backend.ok()) {
      std::fprintf(stderr, "thalweg_bench: %s\n", backend.status().ToString().c_str());
      std::exit(1);
    }
    place = *std::move(backend);
  }
  return *place;
}

std::string DeviceText(const std::string& device) {
  const backend::Backend& backend = Device(device);
  return absl::StrCat(backend.device_name(), ", ", backend.driver());
}

std::unique_ptr<backend::Backend> Borrow(backend::Backend& owner) {
  return std::make_unique<backend::ForwardingBackend>(owner);
}

}  // namespace thalweg::bench
