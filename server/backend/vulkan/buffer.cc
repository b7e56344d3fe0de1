#include "server/backend/vulkan/buffer.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "proto/wire/status_macros.h"

namespace thalweg::backend::vulkan {
namespace {

using Memory = vk::MemoryPropertyFlagBits;

// The memory properties for an access, the best first.
std::vector<vk::MemoryPropertyFlags> WantedMemory(Access access) {
  const vk::MemoryPropertyFlags visible = Memory::eHostVisible | Memory::eHostCoherent;
  switch (access) {
    case Access::kDevice:
      return {Memory::eDeviceLocal, {}};
    case Access::kUnified:
      return {visible | Memory::eHostCached | Memory::eDeviceLocal};
    case Access::kUpload:
      return {visible};
    case Access::kReadback:
      return {visible | Memory::eHostCached, visible};
  }
  return {};
}

std::optional<std::uint32_t> FindMemoryType(const vk::PhysicalDeviceMemoryProperties& memory,
                                            std::uint32_t allowed, Access access) {
  for (const vk::MemoryPropertyFlags wanted : WantedMemory(access)) {
    for (std::uint32_t i = 0; i < memory.memoryTypeCount; ++i) {
      const bool fits = (memory.memoryTypes[i].propertyFlags & wanted) == wanted;
      if (fits && ((allowed >> i) & 1u) != 0) return i;
    }
  }
  return std::nullopt;
}

vk::raii::DescriptorPool MakePool(const Device& device) {
  const vk::DescriptorPoolSize size(vk::DescriptorType::eStorageBuffer, kBindings);
  return {device.handle(), vk::DescriptorPoolCreateInfo(
                               vk::DescriptorPoolCreateFlagBits::eFreeDescriptorSet, 1, size)};
}

vk::raii::DescriptorSet MakeSet(const Device& device, vk::DescriptorPool pool,
                                vk::DescriptorSetLayout layout) {
  const vk::DescriptorSetAllocateInfo info(pool, layout);
  return std::move(vk::raii::DescriptorSets(device.handle(), info).front());
}

// The CPU writes jobs, programs and real land; only the device accesses the rest.
Access AccessOf(Binding binding) {
  const bool is_written =
      binding == Binding::kJobs || binding == Binding::kProgram || binding == Binding::kElevation;
  return is_written ? Access::kUpload : Access::kDevice;
}

}  // namespace

Buffer::Buffer(std::size_t bytes, vk::raii::Buffer buffer, vk::raii::DeviceMemory memory,
               std::byte* mapped)
    : bytes_(bytes), memory_(std::move(memory)), buffer_(std::move(buffer)), mapped_(mapped) {}

absl::StatusOr<std::unique_ptr<Buffer>> Buffer::Create(const Device& device, std::size_t bytes,
                                                       Access access) {
  using Usage = vk::BufferUsageFlagBits;
  vk::raii::Buffer buffer(
      device.handle(),
      vk::BufferCreateInfo({}, bytes,
                           Usage::eStorageBuffer | Usage::eTransferSrc | Usage::eTransferDst));
  const vk::MemoryRequirements needs = buffer.getMemoryRequirements();
  const auto type = FindMemoryType(device.memory(), needs.memoryTypeBits, access);
  if (!type) {
    return absl::ResourceExhaustedError(absl::StrCat(
        "allocate ", bytes, " bytes: the device lacks memory of the kind that they need"));
  }
  vk::raii::DeviceMemory memory(device.handle(), vk::MemoryAllocateInfo(needs.size, *type));
  buffer.bindMemory(*memory, 0);
  std::byte* mapped = nullptr;
  if (access != Access::kDevice) {
    mapped = static_cast<std::byte*>(memory.mapMemory(0, VK_WHOLE_SIZE));
  }
  return std::unique_ptr<Buffer>(new Buffer(bytes, std::move(buffer), std::move(memory), mapped));
}

std::size_t ScratchNeed::BytesOf(Binding binding) const {
  using kernels::kLayerPlanes;
  using kernels::uint;
  using Sum = std::uint64_t;
  const std::size_t vertices = windows * window_side * window_side;
  switch (binding) {
    case Binding::kJobs:
      return windows * sizeof(kernels::Job);
    case Binding::kProgram:
      return std::max<std::size_t>(instructions, 1) * sizeof(kernels::BaseInstruction);
    case Binding::kParent:
      return std::max<std::size_t>(windows * parent_values, 1) * kWordBytes;
    case Binding::kElevation:
      return std::max<std::size_t>(windows * elevation_values, 1) * kWordBytes;
    case Binding::kResult:
      return windows * result_values * kWordBytes;
#define THALWEG_STATE(number, Name, name, Type, count) \
  case Binding::k##Name:                               \
    return std::size_t{count} * vertices * sizeof(Type);
#include "shaders/stages/bindings.inc"
  }
  return 0;
}

std::size_t ScratchNeed::TotalBytes() const {
  std::size_t total = 0;
  for (std::uint32_t i = 0; i < kBindings; ++i) total += BytesOf(static_cast<Binding>(i));
  return total;
}

std::size_t ScratchNeed::LargestBytes() const {
  std::size_t largest = 0;
  for (std::uint32_t i = 0; i < kBindings; ++i) {
    largest = std::max(largest, BytesOf(static_cast<Binding>(i)));
  }
  return largest;
}

Scratch::Scratch(const Device& device, const Pipelines& pipelines)
    : device_(device),
      pool_(MakePool(device)),
      descriptors_(MakeSet(device, *pool_, pipelines.set_layout())) {}

absl::Status Scratch::Reserve(const ScratchNeed& need) {
  if (need.LargestBytes() > device_.traits().max_binding_bytes) {
    return absl::ResourceExhaustedError(
        absl::StrCat("invalid block: expected buffers of max ", device_.traits().max_binding_bytes,
                     " bytes, as the device binds, got ", need.LargestBytes(), " for ",
                     need.windows, " windows of ", need.window_side, " x ", need.window_side,
                     " vertices: use another --device"));
  }
  bool grown = false;
  for (std::uint32_t i = 0; i < kBindings; ++i) {
    const Binding binding = static_cast<Binding>(i);
    const std::size_t bytes = need.BytesOf(binding);
    if (buffers_[i] != nullptr && buffers_[i]->bytes() >= bytes) continue;
    // The old buffer is freed first, so that the memory need not hold both.
    buffers_[i].reset();
    THALWEG_ASSIGN_OR_RETURN(buffers_[i], Buffer::Create(device_, bytes, AccessOf(binding)));
    grown = true;
  }
  if (grown) BindBuffers();
  return absl::OkStatus();
}

void Scratch::BindBuffers() {
  std::vector<vk::DescriptorBufferInfo> infos;
  for (const auto& buffer : buffers_) infos.emplace_back(buffer->handle(), 0, VK_WHOLE_SIZE);
  const vk::WriteDescriptorSet write(*descriptors_, 0, 0, vk::DescriptorType::eStorageBuffer, {},
                                     infos);
  device_.handle().updateDescriptorSets(write, {});
}

}  // namespace thalweg::backend::vulkan
