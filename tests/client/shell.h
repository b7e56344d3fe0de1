// Commands of a shell, as a user types them.
#pragma once

#include <string>

#include "tests/child/child.h"

namespace thalweg::client_test {

using child::Outcome;

inline Outcome Shell(const std::string& command) {
  return child::RunToEnd({"/bin/sh", "-c", command});
}

}  // namespace thalweg::client_test
