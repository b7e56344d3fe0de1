// The output of `thalwegd selftest`.
#pragma once

#include <ostream>

#include "server/backend/backend.h"

namespace thalweg::selftest {

// Runs the suite, a line a case, and closes with "N passed, N failed". True when all passed.
bool RunSuite(backend::Backend& backend, std::ostream& out);

// Prints the suite's digests as golden.txt has them. An error ends it.
absl::Status PrintGolden(backend::Backend& backend, std::ostream& out);

}  // namespace thalweg::selftest
