// Fetches the parts of a bake.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "proto/bake/bake_plan.h"
#include "proto/bake/part_store.h"
#include "thalweg/client.h"

namespace thalweg::bake {

// A server that bakes, by the name under which it is told of.
struct BakeServer {
  std::string name;
  Client* client = nullptr;
};

struct BakeProgress {
  // Of this run's parts: those that are there, those that were there before it, and all.
  std::size_t done = 0;
  std::size_t found = 0;
  std::size_t parts = 0;
  // Of the parts that it fetched, and of those that are still missing.
  std::int64_t vertices = 0;
  std::int64_t vertices_left = 0;
  std::uint64_t wire_bytes = 0;
};

struct BakeOptions {
  std::string world = {};
  std::vector<Layer> layers = {};
  // Parts that a server computes at a time.
  int parts_under_way = 2;
  // A server that is UNAVAILABLE or silent is left out so long, twice as long each time.
  std::chrono::milliseconds first_rest{500};
  std::chrono::milliseconds max_rest{30'000};
  // The bake gives up when no part came from any server for so long.
  std::chrono::milliseconds patience{120'000};
  // Called after each part, by one thread at a time.
  std::function<void(const BakeProgress&)> progress = {};
};

// Fetches what the store lacks of the parts, which must be in Morton order, at the priority of
// bakes. Each server begins with a range of its own, so that no two compute the same ancestors, and
// takes from the others' when it is done. What is finished stays, whatever happens: the same call
// again goes on. UNAVAILABLE when no server is left; else the first error of a server that another
// try would not mend, or of the store.
absl::Status Bake(const std::vector<BakeServer>& servers, const Area& area,
                  const std::vector<Part>& parts, const PartStore& store,
                  const BakeOptions& options);

}  // namespace thalweg::bake
