// Parts as the library's regions.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/bake/part_store.h"
#include "thalweg/region.h"
#include "thalweg/world_info.h"

namespace thalweg::bake {

// The values of an area.
PartValues ToPart(const Area& area, Region region);

// The numbers of layers, as manifests have them.
std::vector<int> NumbersOf(const std::vector<Layer>& layers);
std::vector<Layer> LayersOf(const Manifest& manifest);

// A part of the store; its errors.
absl::StatusOr<Region> ReadRegion(const PartStore& store, const Part& part);

// A world in the form of manifests; empty for one that this library can't read.
std::string ToManifest(const WorldInfo& world);

// The manifest's world. FAILED_PRECONDITION if it has none; DATA_LOSS if it is invalid.
absl::StatusOr<WorldInfo> WorldOf(const PartStore& store);

}  // namespace thalweg::bake
