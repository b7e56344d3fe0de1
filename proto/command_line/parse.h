// Reads a command line, and refuses a wrong one.
#pragma once

#include <CLI/App.hpp>
#include <optional>
#include <string>

namespace thalweg::command_line {

// Exit codes.
inline constexpr int kSuccess = 0;
inline constexpr int kFailure = 1;
inline constexpr int kUsage = 2;

// Reads the words after the program's name, and runs the callbacks of `app`. Prints the help or the
// version if the words ask for it; prints what is wrong to the standard error. Returns the
// program's exit code, or nothing if the program should continue.
std::optional<int> Parse(CLI::App& app, int argc, const char* const* argv);

// Refuses an option's value: "invalid --level: expected 0 to 20, got 21". For callbacks of CLI11.
[[noreturn]] void Refuse(const std::string& option, const std::string& expected,
                         const std::string& got);

}  // namespace thalweg::command_line
