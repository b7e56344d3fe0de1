#include "tests/bench/devices.h"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "server/backend/backend_factory.h"

namespace thalweg::bench {
namespace {

class BorrowedBackend : public backend::Backend {
 public:
  explicit BorrowedBackend(Backend& owner) : owner_(owner) {}

  const std::string& device_name() const override { return owner_.device_name(); }
  const std::string& driver() const override { return owner_.driver(); }
  int MaxBatch(const world::BlockShape& shape) const override { return owner_.MaxBatch(shape); }
  absl::StatusOr<std::vector<std::shared_ptr<const backend::Block>>> Run(
      const world::LevelProgram& program, const world::BlockShape& shape,
      std::span<const backend::Job> jobs, const backend::RunOptions& options) override {
    return owner_.Run(program, shape, jobs, options);
  }
  absl::Status Read(const backend::Block& block, backend::Layer layer, const backend::Rect& rect,
                    std::span<std::int32_t> values) override {
    return owner_.Read(block, layer, rect, values);
  }
  absl::StatusOr<std::vector<std::int32_t>> ReadDeviations(const backend::Block& block) override {
    return owner_.ReadDeviations(block);
  }
  absl::StatusOr<std::shared_ptr<const backend::Block>> Upload(
      const world::BlockShape& shape, std::span<const std::int32_t> height,
      std::span<const std::int32_t> flow) override {
    return owner_.Upload(shape, height, flow);
  }

 private:
  Backend& owner_;
};

}  // namespace

backend::Backend& Device(const std::string& device, int reference_threads) {
  static std::map<std::pair<std::string, int>, std::unique_ptr<backend::Backend>> opened;
  std::unique_ptr<backend::Backend>& place = opened[{device, reference_threads}];
  if (place == nullptr) {
    backend::BackendOptions options;
    options.device = device;
    options.reference_threads = reference_threads;
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
  return std::make_unique<BorrowedBackend>(owner);
}

}  // namespace thalweg::bench
