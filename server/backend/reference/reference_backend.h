// The reference: the stages compiled as C++, one thread for each block. It needs no device, and its
// results are right by definition.
#pragma once

#include <memory>

#include "server/backend/backend.h"

namespace thalweg::backend {

inline constexpr char kReferenceName[] = "reference";

// threads: how many blocks are computed at once; 0: one for each core.
std::unique_ptr<Backend> CreateReference(int threads);

}  // namespace thalweg::backend
