// Commands of a shell, as a user types them.
#pragma once

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <string>

namespace thalweg::client_test {

struct Outcome {
  int code = -1;
  // The command's output, including errors.
  std::string text;
};

inline Outcome Shell(const std::string& command) {
  Outcome outcome;
  FILE* pipe = popen(("exec 2>&1; " + command).c_str(), "r");
  std::array<char, 4096> part;
  for (std::size_t n; (n = fread(part.data(), 1, part.size(), pipe)) > 0;) {
    outcome.text.append(part.data(), n);
  }
  const int status = pclose(pipe);
  outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return outcome;
}

}  // namespace thalweg::client_test
