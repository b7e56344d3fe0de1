// How much of a test runs: tests/run is for each change, `tests/run --all` is exhaustive.
#pragma once

#include <cstdlib>
#include <string_view>

namespace thalweg {

// Whether everything runs: THALWEG_TESTS=all, as tests/run --all sets it.
inline bool IsExhaustive() {
  const char* const size = std::getenv("THALWEG_TESTS");
  return size != nullptr && std::string_view(size) == "all";
}

// A number of seeds, cases or steps: a few in tests/run, where each test still looks for its fault,
// and all of them in tests/run --all.
template <typename Number>
Number FewOrAll(Number few, Number all) {
  return IsExhaustive() ? all : few;
}

}  // namespace thalweg
