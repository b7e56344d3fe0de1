// Text from outside, made safe for a line of a terminal or a log.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace thalweg {

// The most bytes of a server's text that are shown.
inline constexpr std::size_t kMaxText = 4'096;

// The text as one line: control characters, marks that change the direction of writing, and bytes
// that are not UTF-8 are shown as \n, \r, \t or \xNN. "..." replaces the end of a text that is too
// long.
std::string OneLine(std::string_view text, std::size_t max_bytes = kMaxText);

}  // namespace thalweg
