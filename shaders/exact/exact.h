// Makes SPIR-V modules compute the same bits on every device, and finds modules that would not.
// Vulkan lets a driver contract, re-associate and approximate float operations (Vulkan 1.3,
// "Precision and Operation of SPIR-V Instructions"). These operations are exact to the last bit, if
// NoContraction forbids fusing them: + - *, negation, comparison, conversion, min, max, abs and
// floor.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "shaders/exact/module.h"

namespace thalweg::exact {

// Returns the module with NoContraction on every float arithmetic result. INVALID_ARGUMENT for
// words that are not a module.
absl::StatusOr<Words> Decorate(std::span<const std::uint32_t> words);

// Returns the module with 32-bit floats rounded to nearest even in every entry point, for devices
// with shaderRoundingModeRTEFloat32. INVALID_ARGUMENT if it is not a module.
absl::StatusOr<Words> AddRoundingModeRte(std::span<const std::uint32_t> words);

// Lists what in the module may differ between devices, one line each: float operations that are not
// exact or not decorated, floats of other than 32 bits, and relaxed precision. Empty: the module is
// exact.
absl::StatusOr<std::vector<std::string>> FindInexact(std::span<const std::uint32_t> words);

}  // namespace thalweg::exact
