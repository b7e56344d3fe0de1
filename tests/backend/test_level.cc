#include "tests/backend/test_level.h"

#include "gtest/gtest.h"

namespace thalweg::backend {
namespace {

constexpr LayerSet kEveryLayer = LayerSet::All();

absl::StatusOr<std::shared_ptr<const Block>> RunOne(Backend& backend, const world::World& world,
                                                    int level, const Job& job) {
  const world::BlockShape shape = TestShapes(world)[static_cast<std::size_t>(level)];
  auto blocks = backend.Run(world.level(level), shape, {&job, 1}, {.layers = kEveryLayer});
  if (!blocks.ok()) return blocks.status();
  return blocks->front();
}

}  // namespace

std::shared_ptr<const world::World> TestWorld(std::uint64_t seed) {
  v1::WorldSpec spec;
  spec.set_name("test");
  spec.set_seed(seed);
  spec.set_levels(2);
  spec.set_cell_size_m(64);
  v1::Noise* noise = spec.mutable_base()->mutable_ridged();
  noise->set_wavelength_m(4000);
  noise->set_amplitude(1500);
  v1::LevelRule* rule = spec.add_rules();
  rule->mutable_detail()->set_roughness(0.1);
  rule->add_stages()->mutable_droplet()->set_steps(8);
  rule->add_stages()->mutable_thermal()->set_iterations(2);
  rule->add_stages()->mutable_rebound()->set_radius(4);
  auto world = world::World::Create(spec);
  EXPECT_TRUE(world.ok()) << world.status();
  return world.ok() ? *world : nullptr;
}

std::vector<world::BlockShape> TestShapes(const world::World& world) {
  return world::BlockShapes({world.level(0), world.level(1)}, 32);
}

vulkan::VulkanOptions TestOptions() {
  vulkan::VulkanOptions options;
  options.validation = true;
  options.pipeline_cache = "off";
  return options;
}

std::unique_ptr<vulkan::VulkanBackend> Open(const vulkan::VulkanOptions& options) {
  auto backend = vulkan::VulkanBackend::Create(options);
  EXPECT_TRUE(backend.ok()) << backend.status();
  return backend.ok() ? *std::move(backend) : nullptr;
}

absl::StatusOr<std::shared_ptr<const Block>> RunTop(Backend& backend, const world::World& world) {
  return RunOne(backend, world, 0, Job{});
}

absl::StatusOr<std::shared_ptr<const Block>> RunChild(Backend& backend, const world::World& world,
                                                      std::shared_ptr<const Block> parent) {
  return RunOne(backend, world, 1, Job{0, 0, 0, std::move(parent), 0, 0});
}

std::vector<std::int32_t> Everything(Backend& backend, const Block& block) {
  const int side = block.shape().ResultSide();
  const std::size_t plane = static_cast<std::size_t>(side) * static_cast<std::size_t>(side);
  std::vector<std::int32_t> values(plane * static_cast<std::size_t>(block.layers().Count()));
  for (const Layer layer : block.layers().List()) {
    const std::size_t at = static_cast<std::size_t>(block.layers().PlaneOf(layer)) * plane;
    const absl::Status status =
        backend.Read(block, layer, {0, 0, side, side}, std::span(values).subspan(at, plane));
    EXPECT_TRUE(status.ok()) << status;
  }
  const auto deviations = backend.ReadDeviations(block);
  EXPECT_TRUE(deviations.ok()) << deviations.status();
  if (deviations.ok()) values.insert(values.end(), deviations->begin(), deviations->end());
  return values;
}

}  // namespace thalweg::backend
