#include "server/backend/vulkan/commands.h"

#include <cstdint>
#include <limits>

namespace thalweg::backend::vulkan {
namespace {

using Stage = vk::PipelineStageFlagBits;
using AccessBit = vk::AccessFlagBits;

vk::PipelineStageFlags StagesOf(Work work) {
  switch (work) {
    case Work::kTransfer:
      return Stage::eTransfer;
    case Work::kDispatch:
      return Stage::eComputeShader;
    case Work::kAny:
      return Stage::eTransfer | Stage::eComputeShader;
    case Work::kHostRead:
      return Stage::eHost;
  }
  return {};
}

vk::AccessFlags WritesOf(Work work) {
  switch (work) {
    case Work::kTransfer:
      return AccessBit::eTransferWrite;
    case Work::kDispatch:
      return AccessBit::eShaderWrite;
    case Work::kAny:
      return AccessBit::eTransferWrite | AccessBit::eShaderWrite;
    case Work::kHostRead:
      return {};
  }
  return {};
}

vk::AccessFlags AccessesOf(Work work) {
  switch (work) {
    case Work::kTransfer:
      return AccessBit::eTransferRead | AccessBit::eTransferWrite;
    case Work::kDispatch:
      return AccessBit::eShaderRead | AccessBit::eShaderWrite;
    case Work::kAny:
      return AccessesOf(Work::kTransfer) | AccessesOf(Work::kDispatch);
    case Work::kHostRead:
      return AccessBit::eHostRead;
  }
  return {};
}

}  // namespace

Commands::Commands(const Device& device)
    : device_(device),
      pool_(device.handle(), vk::CommandPoolCreateInfo(vk::CommandPoolCreateFlagBits::eTransient,
                                                       device.traits().queue_family)),
      fence_(device.handle(), vk::FenceCreateInfo()) {}

const vk::raii::CommandBuffer& Commands::Begin() {
  if (begun_ > 0) buffers_[begun_ - 1].end();
  if (begun_ == buffers_.size()) {
    const vk::CommandBufferAllocateInfo one(*pool_, vk::CommandBufferLevel::ePrimary, 1);
    buffers_.push_back(std::move(vk::raii::CommandBuffers(device_.handle(), one).front()));
  }
  const vk::raii::CommandBuffer& commands = buffers_[begun_++];
  commands.begin(vk::CommandBufferBeginInfo(vk::CommandBufferUsageFlagBits::eOneTimeSubmit));
  return commands;
}

void Commands::Submit() {
  if (begun_ == 0) return;
  buffers_[begun_ - 1].end();
  std::vector<vk::CommandBuffer> handles;
  for (std::size_t i = 0; i < begun_; ++i) handles.push_back(*buffers_[i]);
  device_.queue().submit(vk::SubmitInfo({}, {}, handles), *fence_);
}

void Commands::Await() {
  if (begun_ == 0) return;
  const auto forever = std::numeric_limits<std::uint64_t>::max();
  // Errors are thrown, and an endless wait has no timeout, so the result is always success.
  (void)device_.handle().waitForFences(*fence_, VK_TRUE, forever);
  device_.handle().resetFences(*fence_);
  Drop();
}

void Commands::Drop() {
  begun_ = 0;
  try {
    pool_.reset();
  } catch (const vk::SystemError&) {
    // Also called when a lost device is given up: its command pool is destroyed anyway.
  }
}

void Barrier(const vk::raii::CommandBuffer& commands, Work before, Work after) {
  const vk::MemoryBarrier barrier(WritesOf(before), AccessesOf(after));
  commands.pipelineBarrier(StagesOf(before), StagesOf(after), {}, barrier, {}, {});
}

}  // namespace thalweg::backend::vulkan
