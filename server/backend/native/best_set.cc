// Prints the fastest instruction set of this processor: CMake compiles kernels for it.
#include <cstdio>

#include "server/backend/native/processor.h"

int main() { std::puts(thalweg::backend::native::SetsOfProcessor().front().c_str()); }
