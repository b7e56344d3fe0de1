// Threads for work that takes too long for the threads that receive calls.
#pragma once

#include "server/tile/worker_pool.h"

namespace thalweg::calls {

struct Workers {
  // Compile worlds for seeds that callers ask for.
  tile::WorkerPool compilers{2};
  // Creates and deletes worlds, one at a time. It may wait for a disk; the compilers never do.
  tile::WorkerPool keeper{1};
};

}  // namespace thalweg::calls
