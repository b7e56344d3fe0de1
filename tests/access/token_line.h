// Lines of tokens files, for tests.
#pragma once

#include <string>

namespace thalweg::access {

// The line that admits a token. A limit of 0 means no limit.
std::string LineOf(const std::string& name, const std::string& token, const std::string& scopes,
                   double calls_per_s = 0, double cells_per_s = 0);

}  // namespace thalweg::access
