// What of the shared library can be seen from outside.
#pragma once

#define THALWEG_API __attribute__((visibility("default")))
