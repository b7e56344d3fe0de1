// A small world with three kinds of stages, and its blocks.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "server/backend/backend.h"
#include "server/backend/vulkan/vulkan_backend.h"
#include "server/world/world.h"

namespace thalweg::backend {

// Two levels, each with rain, slides and rebound.
std::shared_ptr<const world::World> TestWorld(std::uint64_t seed);

// Blocks of 32 cells.
std::vector<world::BlockShape> TestShapes(const world::World& world);

// Options for tests: with validation, without a pipeline cache on disk.
vulkan::VulkanOptions TestOptions();

// Opens a device. Fails the test if that fails.
std::unique_ptr<vulkan::VulkanBackend> Open(const vulkan::VulkanOptions& options);

// Block (0, 0) of level 0, or of level 1 with the block of level 0 as its parent.
absl::StatusOr<std::shared_ptr<const Block>> RunTop(Backend& backend, const world::World& world);
absl::StatusOr<std::shared_ptr<const Block>> RunChild(Backend& backend, const world::World& world,
                                                      std::shared_ptr<const Block> parent);

// All values that a block keeps, deviations last.
std::vector<std::int32_t> Everything(Backend& backend, const Block& block);

}  // namespace thalweg::backend
