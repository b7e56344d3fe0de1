#pragma once

#include <string_view>

namespace thalweg::selftest {

// The text of golden.txt, embedded when building.
extern const std::string_view kGoldenText;

}  // namespace thalweg::selftest
