// The command `thalwegd selftest`.
#pragma once

#include <ostream>

#include "server/backend/backend.h"

namespace thalweg::selftest {

// Runs the suite and prints a line for each case, then "N passed, N failed". True if all passed.
bool RunSuite(backend::Backend& backend, std::ostream& out);

// Prints the suite's digests in the format of golden.txt. Stops at the first error.
absl::Status PrintGolden(backend::Backend& backend, std::ostream& out);

}  // namespace thalweg::selftest
