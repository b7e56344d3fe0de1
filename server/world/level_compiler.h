// A level's detail and stages, as the numbers that the kernels take.
#pragma once

#include <memory>

#include "absl/status/statusor.h"
#include "server/world/level_program.h"
#include "thalweg/v1/world.pb.h"

namespace thalweg::world {

// The most that a level's stages may reach, in cells: beyond it a block would be mostly halo.
inline constexpr int kMaxHaloCells = 192;

// Compiles a level of a specification that has passed Normalise and CheckConstraints, with its real
// land if it has any. INVALID_ARGUMENT when its stages reach too far, or as CompileBase says.
absl::StatusOr<LevelProgram> CompileLevel(const v1::WorldSpec& spec, int level,
                                          std::shared_ptr<const Elevation> elevation = nullptr);

}  // namespace thalweg::world
