// The dispatches of a stage, as plain data.
#pragma once

#include <array>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "shaders/stages/pass.glsl"

namespace thalweg::stages {

// The kernels of shaders/stages, by name: the list is shaders/stages/kernels.inc.
enum class Kernel {
#define THALWEG_KERNEL(Name, stem, on_plane, on_sphere) k##Name,
#define THALWEG_GPU_KERNEL THALWEG_KERNEL
#include "shaders/stages/kernels.inc"
#undef THALWEG_GPU_KERNEL
#undef THALWEG_KERNEL
};

#define THALWEG_KERNEL(Name, stem, on_plane, on_sphere) +1
#define THALWEG_GPU_KERNEL THALWEG_KERNEL
inline constexpr int kKernelCount = 0
#include "shaders/stages/kernels.inc"
    ;
#undef THALWEG_GPU_KERNEL
#undef THALWEG_KERNEL

// The stem of the kernel's file: "droplet_scatter".
std::string_view KernelName(Kernel kernel);

// About what an invocation costs, on a plane or on a planet: picoseconds of a core with lavapipe.
double InvocationCost(Kernel kernel, bool on_sphere);

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

// Runs pass.width x rows invocations of a kernel for each window; or, of a kernel of tiles
// (shaders/stages/tile.glsl), a workgroup for each tile of `rows` rows of tiles over that width.
// The next dispatch sees all that it wrote.
struct Dispatch {
  Kernel kernel;
  kernels::Pass pass;
  int rows = 0;
  KernelParams params;
  // About what an invocation costs, or of a tile all that one of its rows of vertices costs for
  // each column; see InvocationCost.
  double invocation_cost = 0;
  // The columns that a workgroup of a kernel of tiles writes; 0 for other kernels.
  int tile_width = 0;
  // How many of the window's rows one of its rows is.
  int row_height = 1;

  // About what it costs for each window.
  double Cost() const { return invocation_cost * pass.width * rows; }

  // Makes a dispatch of its first rows, and leaves the others to this one. The invocations of a
  // dispatch may run in any order, so the two together do the same.
  Dispatch TakeRows(int count);
};

// The push constants of a dispatch: its pass, then its parameters.
std::vector<std::byte> PushConstants(const Dispatch& dispatch);

// Dispatches that belong together: those of a stage, or those before or after all stages.
struct Segment {
  // The stage's name: "droplet".
  std::string_view stage;
  std::vector<Dispatch> dispatches;
  // Whether this segment continues the stage of the one before.
  bool continues = false;
};

}  // namespace thalweg::stages
