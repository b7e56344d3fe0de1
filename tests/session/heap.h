// The heap memory that this program holds.
#pragma once

#include <cstddef>

namespace thalweg::session {

// The bytes of everything that was allocated with `new`, by any thread, and is not freed.
std::size_t LiveBytes();

}  // namespace thalweg::session
