#pragma once

#include <string_view>

namespace thalweg::selftest {

// The text of golden.txt. The build embeds it.
extern const std::string_view kGoldenText;

}  // namespace thalweg::selftest
