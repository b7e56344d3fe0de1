// The command `thalwegd selftest`.
#pragma once

#include <ostream>
#include <vector>

#include "server/backend/backend.h"
#include "server/selftest/suite.h"

namespace thalweg::selftest {

// Runs the cases and prints a line for each, then "N passed, N failed". True if all passed.
bool RunCases(backend::Backend& backend, const std::vector<Case>& cases, std::ostream& out);

// Prints the suite's digests in the format of golden.txt. Stops at the first error.
absl::Status PrintGolden(backend::Backend& backend, std::ostream& out);

}  // namespace thalweg::selftest
