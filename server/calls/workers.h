// Threads for what is too long for those that calls come in on.
#pragma once

#include "server/tile/worker_pool.h"

namespace thalweg::calls {

struct Workers {
  // Compile worlds with asked seeds.
  tile::WorkerPool compilers{2};
  // Creates and deletes worlds, one at a time. It may wait for a disk; the others never do.
  tile::WorkerPool keeper{1};
};

}  // namespace thalweg::calls
