// A run of a level on a batch of blocks, submitted part by part.
#pragma once

#include <memory>
#include <vector>

#include "absl/status/status.h"

namespace thalweg::backend {

class Block;

// Made by Backend::Begin, and used by the thread that uses the backend. Destroying it before its
// end drops the run, after waiting for its submitted parts. After an error it may only be
// destroyed.
class PendingRun {
 public:
  virtual ~PendingRun() = default;

  // Parts that were not submitted yet: 1 or more at first.
  virtual int parts_left() const = 0;

  // Submits the next part; there must be one. A device begins with it when it has done the parts
  // before; a backend without a device may run it here.
  virtual absl::Status Submit() = 0;

  // Waits for the oldest submitted part that was not waited for.
  virtual absl::Status Await() = 0;

  // The blocks in the order of the jobs, once every part was waited for.
  virtual std::vector<std::shared_ptr<const Block>> Take() = 0;
};

}  // namespace thalweg::backend
