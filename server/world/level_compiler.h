// A level's detail and stages, as the numbers that the kernels take.
#pragma once

#include <memory>

#include "absl/status/statusor.h"
#include "server/world/level_program.h"
#include "thalweg/v1/world.pb.h"

namespace thalweg::world {

// The max sum of a level's reaches, in cells: with more, a block would be mostly halo.
inline constexpr int kMaxHaloCells = 192;

// Compiles a level of a specification that has passed Normalise and CheckConstraints, with its real
// land if any. INVALID_ARGUMENT if its stages reach too far, or as CompileBase says.
absl::StatusOr<LevelProgram> CompileLevel(const v1::WorldSpec& spec, int level,
                                          std::shared_ptr<const Elevation> elevation = nullptr);

}  // namespace thalweg::world
