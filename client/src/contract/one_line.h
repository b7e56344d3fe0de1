// What others wrote, made fit for a line of a terminal or a log.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace thalweg {

// The most bytes of a server's text that are shown.
inline constexpr std::size_t kMaxText = 4'096;

// The text as one line: control characters, marks that turn the direction of writing, and what is
// not UTF-8 are shown as \n, \r, \t or \xNN. What exceeds the bytes is "...".
std::string OneLine(std::string_view text, std::size_t max_bytes = kMaxText);

}  // namespace thalweg
