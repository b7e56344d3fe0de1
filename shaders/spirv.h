// The built stages: SPIR-V that computes the same bits on every device, embedded in the program.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace thalweg::spirv {

// How a module adds to 64-bit sums: with one atomic, for devices with shaderBufferInt64Atomics, or
// with two. The bits are the same.
enum class Variant { kAtomic32, kAtomic64 };

struct Module {
  std::string_view stage;  // the stem of its file in shaders/stages
  Variant variant;
  std::span<const std::uint32_t> words;
};

// Returns every module that was built: each stage in each variant.
std::span<const Module> Modules();

// Returns the module of a stage; empty for an unknown stage.
std::span<const std::uint32_t> Find(std::string_view stage, Variant variant);

}  // namespace thalweg::spirv
