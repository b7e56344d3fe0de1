// Ends the program if a benchmark can't go on.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

namespace thalweg::bench {

[[noreturn]] inline void Exit(const std::string& message) {
  std::fprintf(stderr, "thalweg_bench: %s\n", message.c_str());
  std::exit(1);
}

}  // namespace thalweg::bench
