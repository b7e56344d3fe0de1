// Fetches what a server has of an area.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/bake/bake_plan.h"
#include "thalweg/client.h"

namespace thalweg::bake {

// Fetches exact vertices of an area, or values at its pixels (proto/bake/planet_area.h), with the
// priority of bakes. Returns the client's errors.
absl::StatusOr<Region> FetchArea(Client& client, const Area& area, const std::string& world,
                                 const std::vector<Layer>& layers);

}  // namespace thalweg::bake
