// Regions of a bake: what a server has of an area, and how parts become regions.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/bake/bake_plan.h"
#include "proto/bake/part_store.h"
#include "thalweg/client.h"
#include "thalweg/region.h"
#include "thalweg/world_info.h"

namespace thalweg::bake {

// Fetches exact vertices of an area, or values at its pixels (proto/bake/planet_area.h), with the
// priority of bakes. Returns the client's errors.
absl::StatusOr<Region> FetchArea(Client& client, const Area& area, const std::string& world,
                                 const std::vector<Layer>& layers);

// Converts a region to the values of a part.
PartValues ToPart(const Area& area, Region region);

// Converts layers to their numbers in manifests, and back.
std::vector<int> NumbersOf(const std::vector<Layer>& layers);
std::vector<Layer> LayersOf(const Manifest& manifest);

// Reads a part of the store; returns the store's errors.
absl::StatusOr<Region> ReadRegion(const PartStore& store, const Part& part);

// Converts a world to the form of manifests; empty if this library can't read its specification.
std::string ToManifest(const WorldInfo& world);

// Returns the manifest's world. FAILED_PRECONDITION if it has none; DATA_LOSS if it is invalid.
absl::StatusOr<WorldInfo> WorldOf(const PartStore& store);

}  // namespace thalweg::bake
