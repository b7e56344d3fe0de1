// Files that keep the viewer's ports equal to the C++ code.
#pragma once

#include <string>

namespace thalweg {

// Fails unless client/web/test/vectors/NAME has this text. Then it says where it wrote the text.
void ExpectCurrentVectors(const std::string& name, const std::string& current);

}  // namespace thalweg
