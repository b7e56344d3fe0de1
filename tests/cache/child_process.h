// A program as a child of the test.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace thalweg::cache {

// Ends its child when it goes.
class ChildProcess {
 public:
  // Starts the program with these arguments, and these variables (NAME=VALUE) beside the test's
  // own; what it prints to its standard output is to be read by ReadLine. Aborts if there is none.
  ChildProcess(const std::string& program, const std::vector<std::string>& arguments,
               const std::vector<std::string>& variables = {});
  ~ChildProcess();

  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // The next line that it prints; empty when it has ended.
  std::string ReadLine();
  // SIGSTOP; returns when it has stopped.
  void Stop() const;
  // SIGCONT.
  void Continue() const;
  // SIGKILL; returns when it is gone.
  void Kill();
  // Waits for its own end, and gives its exit code; -1 if a signal ended it.
  int Await();
  bool running() const { return pid_ > 0; }

 private:
  pid_t pid_ = -1;
  int output_ = -1;
  std::string read_;
};

}  // namespace thalweg::cache
