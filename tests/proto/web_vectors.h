// Files that hold the viewer's ports to the C++ that they repeat.
#pragma once

#include <string>

namespace thalweg {

// Fails unless client/web/test/vectors/NAME has this text; says where it wrote the current one.
void ExpectCurrentVectors(const std::string& name, const std::string& current);

}  // namespace thalweg
