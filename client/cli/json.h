// JSON strings and numbers, for the command's output.
#pragma once

#include <string>
#include <string_view>

namespace thalweg::cli {

// The text as a JSON string, quotes included. Bytes from 128 on are passed on as they are: UTF-8.
std::string JsonString(std::string_view text);

// The shortest number that reads back as the same value, which must be finite.
std::string JsonNumber(double value);

}  // namespace thalweg::cli
