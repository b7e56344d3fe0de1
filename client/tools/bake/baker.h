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

// A server that bakes, and its name in messages.
struct BakeServer {
  std::string name;
  Client* client = nullptr;
};

struct BakeProgress {
  // Counts of parts: finished, finished before this run, and all.
  std::size_t done = 0;
  std::size_t found = 0;
  std::size_t parts = 0;
  // Vertices of the fetched parts, and of those that are still missing.
  std::int64_t vertices = 0;
  std::int64_t vertices_left = 0;
  std::uint64_t wire_bytes = 0;
};

struct BakeOptions {
  std::string world = {};
  std::vector<Layer> layers = {};
  // How long a server that is UNAVAILABLE or silent is left alone; twice as long each time.
  std::chrono::milliseconds first_rest{500};
  std::chrono::milliseconds max_rest{30'000};
  // The bake gives up when no part has arrived from any server for this long.
  std::chrono::milliseconds patience{120'000};
  // Called after each part, by one thread at a time.
  std::function<void(const BakeProgress&)> progress = {};
};

// Fetches those parts that the store lacks, with the priority of bakes. The parts must be in Morton
// order. Each server begins with its own range, so that no two compute the same ancestors, and then
// takes parts from the others' ranges. Finished parts stay after an error; the same call continues.
// UNAVAILABLE when no server is left; otherwise the first error of the store, or the first error of
// a server that another attempt would not help.
absl::Status Bake(const std::vector<BakeServer>& servers, const Area& area,
                  const std::vector<Part>& parts, const PartStore& store,
                  const BakeOptions& options);

}  // namespace thalweg::bake
