// The curve that a world's heights pass through when they are read.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "shaders/kernels/height_curve.glsl"
#include "thalweg/v1/world.pb.h"

namespace thalweg::world {

// INVALID_ARGUMENT names the point that breaks the rules of v1.HeightCurve.
absl::Status CheckHeightCurve(const v1::WorldSpec& spec);

// Appends the pieces of the curve; none if the curve has no points.
void AppendHeightCurve(const v1::HeightCurve& curve,
                       std::vector<kernels::BaseInstruction>& instructions);

// A height after the curve, in height units; unchanged if there are no pieces. The result never
// falls while the height rises.
std::int32_t ShownHeight(std::int32_t height, std::span<const kernels::BaseInstruction> pieces);

}  // namespace thalweg::world
