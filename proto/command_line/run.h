// Ends a program that lacks threads, file descriptors or memory.
#pragma once

#include <string>

#include "absl/functional/function_ref.h"

namespace thalweg::command_line {

// Calls `run` for a program's main, and returns its exit code. Where the standard library throws
// because the system refuses threads, file descriptors or memory, prints one line to the standard
// error, which begins with the program's name, and returns kFailure. Other exceptions pass: they
// are bugs.
int RunMain(const std::string& program, absl::FunctionRef<int()> run);

}  // namespace thalweg::command_line
