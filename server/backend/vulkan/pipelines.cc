#include "server/backend/vulkan/pipelines.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "proto/base/temporary.h"
#include "proto/base/whole_file.h"
#include "proto/wire/status_macros.h"
#include "server/stages/dispatch.h"
#include "shaders/exact/exact.h"
#include "shaders/spirv.h"

namespace thalweg::backend::vulkan {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMagic = 0x31304350474c4854;  // "THLGPC01"

struct Header {
  std::uint64_t magic = kMagic;
  std::uint64_t size = 0;
  std::uint64_t checksum = 0;
};

// FNV-1a. It finds incomplete and damaged files; it does not stop attackers.
std::uint64_t Checksum(std::span<const std::byte> data) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const std::byte b : data) hash = (hash ^ static_cast<std::uint64_t>(b)) * 0x100000001b3;
  return hash;
}

vk::raii::DescriptorSetLayout MakeSetLayout(const Device& device) {
  std::vector<vk::DescriptorSetLayoutBinding> bindings;
  for (std::uint32_t i = 0; i < kBindings; ++i) {
    bindings.emplace_back(i, vk::DescriptorType::eStorageBuffer, 1,
                          vk::ShaderStageFlagBits::eCompute);
  }
  return {device.handle(), vk::DescriptorSetLayoutCreateInfo({}, bindings)};
}

vk::raii::PipelineLayout MakeLayout(const Device& device, vk::DescriptorSetLayout set_layout) {
  const vk::PushConstantRange push(vk::ShaderStageFlagBits::eCompute, 0, stages::kMaxPushConstants);
  return {device.handle(), vk::PipelineLayoutCreateInfo({}, set_layout, push)};
}

// Whether this device's driver, in its present version, made the cache (Vulkan 1.3, "Pipeline Cache
// Header").
bool IsMadeBy(std::span<const std::byte> cache, const vk::PhysicalDeviceProperties& properties) {
  VkPipelineCacheHeaderVersionOne header;
  if (cache.size() < sizeof(header)) return false;
  std::memcpy(&header, cache.data(), sizeof(header));
  return header.vendorID == properties.vendorID && header.deviceID == properties.deviceID &&
         std::memcmp(header.pipelineCacheUUID, properties.pipelineCacheUUID.data(), VK_UUID_SIZE) ==
             0;
}

vk::raii::PipelineCache MakeCache(const Device& device, const std::string& path,
                                  std::size_t& bytes) {
  std::vector<std::byte> data;
  if (!path.empty()) data = LoadCache(path);
  if (!IsMadeBy(data, device.properties())) data.clear();
  bytes = data.size();
  return {device.handle(), vk::PipelineCacheCreateInfo({}, data.size(), data.data())};
}

absl::StatusOr<exact::Words> ModuleFor(stages::Kernel kernel, const Traits& traits) {
  const auto variant = traits.atomic64 ? spirv::Variant::kAtomic64 : spirv::Variant::kAtomic32;
  const auto words = spirv::Find(stages::KernelName(kernel), variant);
  if (traits.rounding_mode_rte) return exact::AddRoundingModeRte(words);
  return exact::Words(words.begin(), words.end());
}

// The width of the workgroup that the module declares.
absl::StatusOr<int> WorkgroupWidth(const exact::Words& words) {
  THALWEG_ASSIGN_OR_RETURN(const exact::Module module, exact::ReadModule(words));
  for (const exact::Instruction& i : module.instructions) {
    const bool is_size = i.op == spv::Op::OpExecutionMode &&
                         i.word(2) == static_cast<std::uint32_t>(spv::ExecutionMode::LocalSize);
    if (is_size) return static_cast<int>(i.word(3));
  }
  return absl::InternalError("invalid kernel: its workgroup has no fixed size");
}

}  // namespace

std::string DefaultCachePath(std::string_view device_id) {
  fs::path folder;
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache == '/') {
    folder = cache;
  } else if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/') {
    folder = fs::path(home) / ".cache";
  } else {
    return "";
  }
  return folder / "thalweg" / ("pipelines-" + std::string(device_id) + ".bin");
}

std::vector<std::byte> LoadCache(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  // Unlike iterators, this throws nothing when the disk fails or the path is a folder's.
  std::ostringstream copy;
  copy << file.rdbuf();
  const std::string bytes = std::move(copy).str();
  Header header;
  if (bytes.size() < sizeof(header)) return {};
  std::memcpy(&header, bytes.data(), sizeof(header));
  const auto data = std::as_bytes(std::span(bytes).subspan(sizeof(header)));
  if (header.magic != kMagic || header.size != data.size() || header.checksum != Checksum(data)) {
    return {};
  }
  return {data.begin(), data.end()};
}

absl::Status SaveCache(const std::string& path, std::span<const std::byte> data) {
  std::error_code error;
  fs::create_directories(fs::path(path).parent_path(), error);
  Header header;
  header.size = data.size();
  header.checksum = Checksum(data);
  std::string bytes(reinterpret_cast<const char*>(&header), sizeof(header));
  bytes.append(reinterpret_cast<const char*>(data.data()), data.size());
  files::RemoveAbandoned(path);
  absl::Status written = files::WriteWhole(path, bytes);
  if (written.ok()) return written;
  return absl::UnavailableError(absl::StrCat("write pipeline cache: ", written.message()));
}

Pipelines::Pipelines(const Device& device, std::string cache_path)
    : device_(device),
      cache_path_(std::move(cache_path)),
      set_layout_(MakeSetLayout(device)),
      layout_(MakeLayout(device, *set_layout_)),
      cache_(MakeCache(device, cache_path_, saved_bytes_)) {}

absl::StatusOr<std::unique_ptr<Pipelines>> Pipelines::Create(const Device& device,
                                                             std::string cache_path) {
  return std::unique_ptr<Pipelines>(new Pipelines(device, std::move(cache_path)));
}

absl::StatusOr<const Pipeline*> Pipelines::Get(stages::Kernel kernel, bool on_sphere) {
  const std::size_t first = on_sphere ? stages::kKernelCount : 0;
  std::unique_ptr<Pipeline>& slot = pipelines_[first + static_cast<std::size_t>(kernel)];
  if (slot != nullptr) return slot.get();
  THALWEG_ASSIGN_OR_RETURN(const exact::Words words, ModuleFor(kernel, device_.traits()));
  THALWEG_ASSIGN_OR_RETURN(const int width, WorkgroupWidth(words));
  const vk::raii::ShaderModule module(device_.handle(), vk::ShaderModuleCreateInfo({}, words));
  // Constant 0 is kOnSphere in shaders/stages/bindings.glsl.
  const vk::Bool32 value = on_sphere ? VK_TRUE : VK_FALSE;
  const vk::SpecializationMapEntry entry(0, 0, sizeof(value));
  const vk::SpecializationInfo specialization(1, &entry, sizeof(value), &value);
  const vk::PipelineShaderStageCreateInfo stage({}, vk::ShaderStageFlagBits::eCompute, *module,
                                                "main", &specialization);
  vk::raii::Pipeline pipeline(device_.handle(), cache_,
                              vk::ComputePipelineCreateInfo({}, stage, *layout_));
  slot = std::make_unique<Pipeline>(Pipeline{std::move(pipeline), width});
  compiled_ = true;
  return slot.get();
}

void Pipelines::Save() {
  if (!compiled_ || cache_path_.empty()) return;
  compiled_ = false;
  const std::vector<std::uint8_t> data = cache_.getData();
  // A cache only grows, so an equal size means no change.
  if (data.size() <= saved_bytes_) return;
  if (SaveCache(cache_path_, std::as_bytes(std::span(data))).ok()) saved_bytes_ = data.size();
}

std::string DefaultCachePath(const Device& device) {
  const auto& uuid = device.properties().pipelineCacheUUID;
  return DefaultCachePath(absl::BytesToHexString(
      absl::string_view(reinterpret_cast<const char*>(uuid.data()), uuid.size())));
}

}  // namespace thalweg::backend::vulkan
