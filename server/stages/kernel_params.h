// The parameters of any kernel: bytes with their type.
#pragma once

#include <array>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <span>
#include <type_traits>

#include "shaders/stages/pass.glsl"

namespace thalweg::stages {

// The size of push constants that every device allows (Vulkan 1.3, "Required Limits").
inline constexpr std::size_t kMaxPushConstants = 128;

class KernelParams {
 public:
  static constexpr std::size_t kMaxBytes = kMaxPushConstants - sizeof(kernels::Pass);

  // Params: a struct of shaders/kernels or of shaders/stages/pass.glsl.
  template <typename Params>
  requires(!std::is_same_v<Params, KernelParams>) KernelParams(const Params& params)
      : type_(&kType<Params>), size_(sizeof(Params)) {
    static_assert(std::is_trivially_copyable_v<Params> && sizeof(Params) <= kMaxBytes);
    std::memcpy(bytes_.data(), &params, sizeof(Params));
  }

  // The struct that this was made from. Aborts if the type is a different one.
  template <typename Params>
  Params As() const {
    if (type_ != &kType<Params>) std::abort();
    Params params;
    std::memcpy(&params, bytes_.data(), sizeof(Params));
    return params;
  }

  std::span<const std::byte> bytes() const { return {bytes_.data(), size_}; }

 private:
  // An object for each type: its address identifies the type.
  template <typename>
  static constexpr char kType{};

  const char* type_;
  std::size_t size_;
  std::array<std::byte, kMaxBytes> bytes_;
};

}  // namespace thalweg::stages
