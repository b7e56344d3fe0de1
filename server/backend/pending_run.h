// A run of a level on a batch of blocks, submitted part by part.
#pragma once

#include <memory>
#include <vector>

#include "absl/status/status.h"

namespace thalweg::backend {

class Block;

// Made by Backend::Begin, and used by the thread that uses the backend. Destroying a run before its
// end drops it, after waiting for its submitted parts. After an error it may only be destroyed.
class PendingRun {
 public:
  virtual ~PendingRun() = default;

  // The number of parts that are not submitted yet; 1 or more at first.
  virtual int parts_left() const = 0;

  // Submits the next part; there must be one. A device begins it after the parts before; a backend
  // without a device may compute it in this call.
  virtual absl::Status Submit() = 0;

  // Waits for the oldest submitted part that was not awaited.
  virtual absl::Status Await() = 0;

  // The blocks in the order of the jobs. Called when every part was awaited.
  virtual std::vector<std::shared_ptr<const Block>> Take() = 0;
};

}  // namespace thalweg::backend
