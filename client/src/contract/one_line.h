// Makes text from outside safe for a line of a terminal or a log.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace thalweg {

// Max bytes of a server's text that are shown.
inline constexpr std::size_t kMaxText = 4'096;

// Returns the text as one line. Control characters, marks that change the direction of writing, and
// bytes that are not UTF-8 are shown as \n, \r, \t or \xNN. The end of a longer text is replaced by
// "...".
std::string OneLine(std::string_view text, std::size_t max_bytes = kMaxText);

}  // namespace thalweg
