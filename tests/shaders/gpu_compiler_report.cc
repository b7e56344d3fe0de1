// What the compiler of a Vulkan driver says of each kernel: gpu_compiler_report
//
// Mesa's RADV compiles for an AMD GPU that is not there if RADV_FORCE_FAMILY names it. Prints a
// line for the driver, and then one for each kernel on a plane and on a planet:
//
//     KERNEL plane|planet VGPRS SPILLED SCRATCH THROUGHPUT
//
// VGPRS: vector registers of an invocation. SPILLED: registers that did not fit, SGPRs and VGPRs.
// SCRATCH: bytes of memory for what did not fit. THROUGHPUT: the compiler's estimate of cycles for
// each wave of 64, "Inverse Throughput" (VK_KHR_pipeline_executable_properties).
#include <array>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <iostream>
#include <map>
#include <string>
#include <vulkan/vulkan_raii.hpp>

#include "shaders/spirv.h"

namespace {

#define THALWEG_BINDING(number, Name, name, Type) +1
constexpr std::uint32_t kBindings = 0
#include "shaders/stages/bindings.inc"
    ;
constexpr std::uint32_t kPushConstants = 128;

vk::raii::Device OpenDevice(const vk::raii::PhysicalDevice& physical) {
  const float priority = 1;
  const vk::DeviceQueueCreateInfo queue({}, 0, 1, &priority);
  const std::array<const char*, 1> extensions = {
      VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME};
  vk::StructureChain<vk::DeviceCreateInfo, vk::PhysicalDeviceFeatures2,
                     vk::PhysicalDeviceVulkan12Features,
                     vk::PhysicalDevicePipelineExecutablePropertiesFeaturesKHR>
      info;
  info.get<vk::DeviceCreateInfo>().setQueueCreateInfos(queue).setPEnabledExtensionNames(extensions);
  info.get<vk::PhysicalDeviceFeatures2>().features.shaderInt64 = VK_TRUE;
  info.get<vk::PhysicalDeviceVulkan12Features>().shaderBufferInt64Atomics = VK_TRUE;
  info.get<vk::PhysicalDevicePipelineExecutablePropertiesFeaturesKHR>().pipelineExecutableInfo =
      VK_TRUE;
  return {physical, info.get<vk::DeviceCreateInfo>()};
}

vk::raii::PipelineLayout MakeLayout(const vk::raii::Device& device,
                                    const vk::raii::DescriptorSetLayout& set) {
  const vk::PushConstantRange constants(vk::ShaderStageFlagBits::eCompute, 0, kPushConstants);
  return {device, vk::PipelineLayoutCreateInfo({}, *set, constants)};
}

vk::raii::DescriptorSetLayout MakeSet(const vk::raii::Device& device) {
  std::vector<vk::DescriptorSetLayoutBinding> bindings;
  for (std::uint32_t i = 0; i < kBindings; ++i) {
    bindings.emplace_back(i, vk::DescriptorType::eStorageBuffer, 1,
                          vk::ShaderStageFlagBits::eCompute);
  }
  return {device, vk::DescriptorSetLayoutCreateInfo({}, bindings)};
}

// The compiler's numbers by their names.
std::map<std::string, std::uint64_t> Compile(const vk::raii::Device& device,
                                             const vk::raii::PipelineLayout& layout,
                                             const thalweg::spirv::Module& module, bool on_sphere) {
  const vk::raii::ShaderModule shader(
      device, vk::ShaderModuleCreateInfo({}, module.words.size_bytes(), module.words.data()));
  // Constant 0 is kOnSphere in shaders/stages/bindings.glsl.
  const vk::Bool32 value = on_sphere ? VK_TRUE : VK_FALSE;
  const vk::SpecializationMapEntry entry(0, 0, sizeof(value));
  const vk::SpecializationInfo specialization(1, &entry, sizeof(value), &value);
  const vk::PipelineShaderStageCreateInfo stage({}, vk::ShaderStageFlagBits::eCompute, *shader,
                                                "main", &specialization);
  const vk::raii::Pipeline pipeline(
      device, nullptr,
      vk::ComputePipelineCreateInfo(vk::PipelineCreateFlagBits::eCaptureStatisticsKHR, stage,
                                    *layout));
  std::map<std::string, std::uint64_t> numbers;
  for (const auto& statistic :
       device.getPipelineExecutableStatisticsKHR(vk::PipelineExecutableInfoKHR(*pipeline, 0))) {
    numbers[statistic.name.data()] = statistic.value.u64;
  }
  return numbers;
}

void Report() {
  const vk::raii::Context context;
  const vk::ApplicationInfo application("gpu_compiler_report", 1, nullptr, 0, VK_API_VERSION_1_2);
  const vk::raii::Instance instance(context, vk::InstanceCreateInfo({}, &application));
  const vk::raii::PhysicalDevice physical = vk::raii::PhysicalDevices(instance).front();
  const auto chain =
      physical.getProperties2<vk::PhysicalDeviceProperties2, vk::PhysicalDeviceDriverProperties>();
  std::cout << "driver " << chain.get<vk::PhysicalDeviceDriverProperties>().driverInfo.data()
            << '\n';
  const vk::raii::Device device = OpenDevice(physical);
  const vk::raii::DescriptorSetLayout set = MakeSet(device);
  const vk::raii::PipelineLayout layout = MakeLayout(device, set);
  for (const thalweg::spirv::Module& module : thalweg::spirv::Modules()) {
    if (module.variant != thalweg::spirv::Variant::kAtomic64) continue;
    for (const bool on_sphere : {false, true}) {
      auto numbers = Compile(device, layout, module, on_sphere);
      std::cout << module.stage << (on_sphere ? " planet " : " plane ") << numbers["VGPRs"] << ' '
                << numbers["Spilled SGPRs"] + numbers["Spilled VGPRs"] << ' '
                << numbers["Scratch size"] << ' ' << numbers["Inverse Throughput"] << '\n';
    }
  }
}

}  // namespace

int main() {
  try {
    Report();
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "gpu_compiler_report: " << error.what() << '\n';
    return 1;
  }
}
