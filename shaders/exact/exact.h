// Makes SPIR-V modules compute the same bits on every device, and finds those that would not.
// Vulkan lets a driver contract, re-associate and approximate float operations (Vulkan 1.3,
// "Precision and Operation of SPIR-V Instructions"); what it must compute to the last bit, if
// NoContraction forbids it to fuse, is + - *, negation, comparison, conversion, min, max, abs and
// floor.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "shaders/exact/module.h"

namespace thalweg::exact {

// The module with NoContraction on every float arithmetic result. INVALID_ARGUMENT if it is no
// module.
absl::StatusOr<Words> Decorate(std::span<const std::uint32_t> words);

// The module with 32-bit floats rounded to nearest even in every entry point: for devices that
// offer shaderRoundingModeRTEFloat32. INVALID_ARGUMENT if it is no module.
absl::StatusOr<Words> AddRoundingModeRte(std::span<const std::uint32_t> words);

// What of the module may differ between devices, a line each: float operations that are not on the
// list above or are not decorated, floats of other than 32 bits, and relaxed precision. Empty: it
// is exact.
absl::StatusOr<std::vector<std::string>> FindInexact(std::span<const std::uint32_t> words);

}  // namespace thalweg::exact
