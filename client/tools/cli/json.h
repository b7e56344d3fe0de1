// JSON strings and numbers, for the command's output.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace thalweg::cli {

// Returns the text as a JSON string with quotes. Bytes from 128 on (UTF-8) are not changed.
std::string JsonString(std::string_view text);

// Returns the texts as an array of strings.
std::string JsonStrings(const std::vector<std::string>& texts);

// Returns the shortest number that reads back as the same value, which must be finite.
std::string JsonNumber(double value);

}  // namespace thalweg::cli
