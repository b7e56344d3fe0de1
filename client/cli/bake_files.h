// What a bake writes.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/bake/bake_plan.h"
#include "client/bake/baker.h"
#include "client/bake/part_store.h"
#include "client/cli/arguments.h"
#include "thalweg/client.h"
#include "thalweg/world_info.h"

namespace thalweg::cli {

// A bake that is under way.
struct Baking {
  const BakeArguments& arguments;
  std::vector<std::unique_ptr<Client>> clients = {};
  std::vector<bake::BakeServer> servers = {};
  WorldInfo world = {};
  bake::Area area = {};
};

// Fails now, not after an hour's work, if the format or the place of the rasters can't be written.
absl::Status CheckRasters(const Baking& baking);

// Writes the file of a layer, with its sidecar, from parts in the order of rows, which must be in
// the store; gives its name.
absl::StatusOr<std::string> WriteLayer(const Baking& baking, const bake::PartStore& store,
                                       const std::vector<bake::Part>& parts, std::size_t plane);

}  // namespace thalweg::cli
