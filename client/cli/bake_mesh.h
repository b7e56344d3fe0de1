// A bake as a mesh.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/cli/bake_levels.h"
#include "client/cli/bake_raster.h"

namespace thalweg::cli {

// Larger meshes need tiles and levels of detail, not one file.
inline constexpr std::int64_t kMaxMeshSide = 2049;

// The layers that a mesh is made from, and those of its picture.
std::vector<Layer> MeshLayers(Texture texture, const WorldInfo& world);

// The asked texture; if none was asked for, a picture where the world has a cover.
Texture TextureOf(const BakeArguments& arguments, const WorldInfo& world);

// Fails at once if the file can't be written, or if the region is too large or too small.
absl::Status CheckMesh(const Baking& baking);

// Writes a binary glTF from parts with the layers of MeshLayers; returns the file's name.
absl::StatusOr<std::vector<std::string>> WriteMesh(const Baking& baking, const BakedLevel& level);

}  // namespace thalweg::cli
