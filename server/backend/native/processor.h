// Which of the instruction sets that kernels can be compiled for this processor has. CMake asks it
// too (best_set.cc), so nothing but the standard library is used here.
#pragma once

#include <string>
#include <vector>

namespace thalweg::backend::native {

// Their names, the fastest first: of "avx512_gather", "avx512", "avx2" and "baseline". The last one
// runs on every processor of this architecture.
std::vector<std::string> SetsOfProcessor();

}  // namespace thalweg::backend::native
