#include "server/backend/vulkan/instance.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "server/backend/placement.h"
#include "server/backend/vulkan/pipelines.h"

namespace thalweg::backend::vulkan {
namespace {

constexpr char kValidationLayer[] = "VK_LAYER_KHRONOS_validation";
constexpr char kHint[] =
    "; install the packages libvulkan1 and mesa-vulkan-drivers, or the driver of your GPU, or "
    "use --device native";

// Advice that is not followed. The checks themselves need extensions that are for debugging. A
// queue keeps one allocation for each binding of its few scratches, and those of small windows are
// small.
bool IsOnPurpose(std::string_view id) {
  return id.ends_with("specialuse-extension-debugging") ||
         id.ends_with("vkAllocateMemory-small-allocation") ||
         id.ends_with("vkBindMemory-small-dedicated-allocation");
}

VKAPI_ATTR VkBool32 VKAPI_CALL OnMessage(VkDebugUtilsMessageSeverityFlagBitsEXT,
                                         VkDebugUtilsMessageTypeFlagsEXT,
                                         const VkDebugUtilsMessengerCallbackDataEXT* data,
                                         void* log) {
  const std::string_view id = data->pMessageIdName != nullptr ? data->pMessageIdName : "";
  if (IsOnPurpose(id)) return VK_FALSE;
  static_cast<MessageLog*>(log)->Add(data->pMessage);
  return VK_FALSE;
}

vk::DebugUtilsMessengerCreateInfoEXT MessengerInfo(MessageLog* log) {
  using Severity = vk::DebugUtilsMessageSeverityFlagBitsEXT;
  return {{},
          Severity::eWarning | Severity::eError,
          vk::DebugUtilsMessageTypeFlagBitsEXT::eValidation |
              vk::DebugUtilsMessageTypeFlagBitsEXT::ePerformance,
          OnMessage,
          log};
}

bool HasLayer(const vk::raii::Context& context, std::string_view name) {
  const auto layers = context.enumerateInstanceLayerProperties();
  return std::any_of(layers.begin(), layers.end(),
                     [&](const auto& layer) { return name == layer.layerName.data(); });
}

absl::StatusOr<vk::raii::Context> OpenLoader() {
  try {
    return vk::raii::Context();
  } catch (const std::exception& exception) {
    return absl::NotFoundError(absl::StrCat("open the Vulkan loader: ", exception.what(), kHint));
  }
}

vk::raii::Instance CreateInstance(const vk::raii::Context& context, bool validation,
                                  MessageLog* log) {
  const vk::ApplicationInfo application("thalweg", 1, "thalweg", 1, VK_API_VERSION_1_2);
  if (!validation) return {context, vk::InstanceCreateInfo({}, &application)};
  const std::vector<const char*> layers = {kValidationLayer};
  const std::vector<const char*> extensions = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME,
                                               VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME};
  const std::array checks = {vk::ValidationFeatureEnableEXT::eSynchronizationValidation,
                             vk::ValidationFeatureEnableEXT::eBestPractices};
  const vk::StructureChain chain(vk::InstanceCreateInfo({}, &application, layers, extensions),
                                 vk::ValidationFeaturesEXT(checks), MessengerInfo(log));
  return {context, chain.get()};
}

// The rank of a type of device: the lower, the better.
int RankOf(vk::PhysicalDeviceType type) {
  switch (type) {
    case vk::PhysicalDeviceType::eDiscreteGpu:
      return 0;
    case vk::PhysicalDeviceType::eIntegratedGpu:
      return 1;
    case vk::PhysicalDeviceType::eVirtualGpu:
      return 2;
    case vk::PhysicalDeviceType::eCpu:
      return 3;
    default:
      return 4;
  }
}

std::string TypeName(vk::PhysicalDeviceType type) {
  constexpr const char* kNames[] = {"discrete", "integrated", "virtual", "cpu", "other"};
  return kNames[RankOf(type)];
}

bool HasComputeQueue(const vk::raii::PhysicalDevice& physical) {
  const auto families = physical.getQueueFamilyProperties();
  return std::any_of(families.begin(), families.end(), [](const auto& family) {
    return static_cast<bool>(family.queueFlags & vk::QueueFlagBits::eCompute);
  });
}

std::string ProblemOf(const vk::raii::PhysicalDevice& physical) {
  const vk::PhysicalDeviceProperties properties = physical.getProperties();
  const vk::PhysicalDeviceLimits& limits = properties.limits;
  if (properties.apiVersion < VK_API_VERSION_1_2) return "lacks Vulkan 1.2";
  if (physical.getFeatures().shaderInt64 == VK_FALSE) return "lacks shaderInt64";
  if (!HasComputeQueue(physical)) return "lacks a queue for compute";
  if (limits.maxPerStageDescriptorStorageBuffers < kBindings ||
      limits.maxDescriptorSetStorageBuffers < kBindings) {
    return absl::StrCat("binds fewer than ", kBindings, " storage buffers");
  }
  if (limits.maxPushConstantsSize < stages::kMaxPushConstants) {
    return absl::StrCat("has push constants of fewer than ", stages::kMaxPushConstants, " bytes");
  }
  return "";
}

std::string DriverOf(const vk::raii::PhysicalDevice& physical) {
  if (physical.getProperties().apiVersion < VK_API_VERSION_1_2) return "unknown";
  const auto chain =
      physical.getProperties2<vk::PhysicalDeviceProperties2, vk::PhysicalDeviceDriverProperties>();
  const auto& driver = chain.get<vk::PhysicalDeviceDriverProperties>();
  return absl::StrCat(driver.driverName.data(), " ", driver.driverInfo.data());
}

std::string Listed(const std::vector<Candidate>& candidates) {
  std::string text = "; devices:";
  for (const Candidate& candidate : candidates) {
    const DeviceInfo& info = candidate.info;
    absl::StrAppend(&text, " ", info.index, " = ", info.name,
                    info.usable() ? "" : absl::StrCat(" (not usable: ", info.problem, ")"), ",");
  }
  return absl::StrCat(text, " native and reference = the processor without Vulkan");
}

absl::StatusOr<std::size_t> IndexOf(const std::vector<Candidate>& candidates,
                                    std::string_view choice) {
  if (choice != "vulkan") {
    int index = -1;
    if (!absl::SimpleAtoi(absl::string_view(choice.data(), choice.size()), &index)) {
      return absl::InvalidArgumentError(absl::StrCat(
          "invalid device: expected auto, vulkan, native, reference or a number, got '",
          std::string(choice), "'", Listed(candidates)));
    }
    if (index < 0 || index >= static_cast<int>(candidates.size())) {
      return absl::NotFoundError(absl::StrCat(
          "invalid device: expected one of this machine's, got ", index, Listed(candidates)));
    }
    return static_cast<std::size_t>(index);
  }
  const auto rank = [](const Candidate& candidate) {
    return candidate.info.usable() ? RankOf(candidate.physical.getProperties().deviceType) : 5;
  };
  const auto best =
      std::min_element(candidates.begin(), candidates.end(),
                       [&](const Candidate& a, const Candidate& b) { return rank(a) < rank(b); });
  if (best == candidates.end() || !best->info.usable()) {
    return absl::NotFoundError(
        absl::StrCat("this machine has no usable Vulkan device", Listed(candidates),
                     "; install the package mesa-vulkan-drivers or use --device native"));
  }
  return static_cast<std::size_t>(best - candidates.begin());
}

}  // namespace

void MessageLog::Add(std::string message) {
  absl::MutexLock lock(&mutex_);
  messages_.push_back(std::move(message));
}

std::vector<std::string> MessageLog::messages() const {
  absl::MutexLock lock(&mutex_);
  return messages_;
}

absl::Status MessageLog::status() const {
  absl::MutexLock lock(&mutex_);
  if (messages_.empty()) return absl::OkStatus();
  return absl::InternalError(absl::StrCat("Vulkan's validation sent messages, ", messages_.size(),
                                          " in all, the first: ", messages_.front()));
}

Instance::Instance(std::shared_ptr<MessageLog> log, vk::raii::Context context,
                   vk::raii::Instance instance, vk::raii::DebugUtilsMessengerEXT messenger)
    : log_(std::move(log)),
      context_(std::move(context)),
      instance_(std::move(instance)),
      messenger_(std::move(messenger)) {}

absl::StatusOr<std::shared_ptr<const Instance>> Instance::Create(bool validation,
                                                                 std::shared_ptr<MessageLog> log) {
  absl::StatusOr<vk::raii::Context> context = OpenLoader();
  if (!context.ok()) return context.status();
  if (context->enumerateInstanceVersion() < VK_API_VERSION_1_2) {
    return absl::NotFoundError(absl::StrCat("the Vulkan loader is older than version 1.2", kHint));
  }
  if (validation && !HasLayer(*context, kValidationLayer)) {
    return absl::NotFoundError(
        absl::StrCat("open Vulkan: the layer ", kValidationLayer,
                     " is not installed; install the package vulkan-validationlayers"));
  }
  try {
    vk::raii::Instance instance = CreateInstance(*context, validation, log.get());
    vk::raii::DebugUtilsMessengerEXT messenger(nullptr);
    if (validation) messenger = {instance, MessengerInfo(log.get())};
    return std::shared_ptr<const Instance>(new Instance(std::move(log), *std::move(context),
                                                        std::move(instance), std::move(messenger)));
  } catch (const vk::IncompatibleDriverError&) {
    return absl::NotFoundError(absl::StrCat("open Vulkan: no driver is installed", kHint));
  }
}

std::vector<Candidate> Candidates(const Instance& instance) {
  std::vector<Candidate> candidates;
  for (vk::raii::PhysicalDevice& physical : vk::raii::PhysicalDevices(instance.handle())) {
    const vk::PhysicalDeviceProperties properties = physical.getProperties();
    DeviceInfo info;
    info.index = static_cast<int>(candidates.size());
    info.name = properties.deviceName.data();
    info.type = TypeName(properties.deviceType);
    info.driver = DriverOf(physical);
    info.problem = ProblemOf(physical);
    candidates.push_back({std::move(physical), std::move(info)});
  }
  return candidates;
}

absl::StatusOr<Candidate> Choose(std::vector<Candidate> candidates, std::string_view choice) {
  const absl::StatusOr<std::size_t> index = IndexOf(candidates, choice);
  if (!index.ok()) return index.status();
  if (!candidates[*index].info.usable()) {
    return absl::FailedPreconditionError(absl::StrCat("invalid device: expected a usable one, got ",
                                                      *index, ", which ",
                                                      candidates[*index].info.problem));
  }
  return std::move(candidates[*index]);
}

}  // namespace thalweg::backend::vulkan
