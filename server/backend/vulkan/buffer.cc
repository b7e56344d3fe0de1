#include "server/backend/vulkan/buffer.h"

#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"

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

}  // namespace thalweg::backend::vulkan
