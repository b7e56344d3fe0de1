// THALWEG_INDEPENDENT before a loop: its iterations do not depend on each other, so a compiler may
// run several at once.
#pragma once

#ifdef __clang__
#define THALWEG_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define THALWEG_INDEPENDENT _Pragma("GCC ivdep")
#endif
