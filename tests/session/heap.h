// The heap memory that this program holds.
#pragma once

#include <cstddef>

namespace thalweg::session {

// Bytes of everything that was made with `new` and is still there, of all threads.
std::size_t LiveBytes();

}  // namespace thalweg::session
