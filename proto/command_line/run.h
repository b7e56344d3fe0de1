// Ends a program that lacks threads, file descriptors or memory.
#pragma once

#include <CLI/App.hpp>
#include <optional>
#include <string>

#include "absl/functional/function_ref.h"

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

// Refuses options that are missing or don't fit together: `text` says which and why. For callbacks
// of CLI11.
[[noreturn]] void RefuseOptions(const std::string& text);

// Calls `run` for a program's main, and returns its exit code. Where the standard library throws
// because the system refuses threads, file descriptors or memory, prints one line to the standard
// error, which begins with the program's name, and returns kFailure. Other exceptions pass: they
// are bugs.
int RunMain(const std::string& program, absl::FunctionRef<int()> run);

}  // namespace thalweg::command_line
