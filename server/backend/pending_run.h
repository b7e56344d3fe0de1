// A run of a level on a batch of blocks, submitted part by part.
#pragma once

#include <memory>
#include <vector>

#include "absl/status/status.h"

namespace thalweg::backend {

class Block;

// Made by Backend::Begin, and used by the thread that uses the backend. Destroyed before it is done
// it is given up; what was submitted of it is waited for. After an error only its end may follow.
class PendingRun {
 public:
  virtual ~PendingRun() = default;

  // Parts that were not submitted yet: 1 or more at first.
  virtual int parts_left() const = 0;

  // Submits the next part; there must be one. A device of its own begins with it when it has done
  // what was submitted before; a backend without one may do all of it here.
  virtual absl::Status Submit() = 0;

  // Waits for the part that was submitted first of those that were not waited for.
  virtual absl::Status Await() = 0;

  // The blocks in the order of the jobs, once every part was waited for.
  virtual std::vector<std::shared_ptr<const Block>> Take() = 0;
};

}  // namespace thalweg::backend
