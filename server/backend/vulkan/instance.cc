#include "server/backend/vulkan/instance.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"

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

}  // namespace

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
    return absl::NotFoundError(absl::StrCat(
        "open the Vulkan loader: expected version 1.2 or later, got an older one", kHint));
  }
  if (validation && !HasLayer(*context, kValidationLayer)) {
    return absl::NotFoundError(absl::StrCat("open Vulkan: expected the layer ", kValidationLayer,
                                            "; install the package vulkan-validationlayers"));
  }
  try {
    vk::raii::Instance instance = CreateInstance(*context, validation, log.get());
    vk::raii::DebugUtilsMessengerEXT messenger(nullptr);
    if (validation) messenger = {instance, MessengerInfo(log.get())};
    return std::shared_ptr<const Instance>(new Instance(std::move(log), *std::move(context),
                                                        std::move(instance), std::move(messenger)));
  } catch (const vk::IncompatibleDriverError&) {
    return absl::NotFoundError(
        absl::StrCat("open Vulkan: expected an installed driver, got none", kHint));
  }
}

}  // namespace thalweg::backend::vulkan
