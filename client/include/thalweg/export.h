// What of the shared library can be seen from outside.
#pragma once

#ifndef THALWEG_API
#define THALWEG_API __attribute__((visibility("default")))
#endif

// What is part of a visible class and not itself to be seen.
#define THALWEG_HIDDEN __attribute__((visibility("hidden")))
