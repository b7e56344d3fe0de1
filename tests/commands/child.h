// Programs as children of a test.
#pragma once

#include <sys/types.h>

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace thalweg::commands {

struct Outcome {
  int code = -1;
  // Standard output and error, in the order of writing.
  std::string text;
};

// A program that runs beside the test; it is stopped with it.
class Child {
 public:
  // Words of the command line, the program first; variables are NAME=VALUE.
  explicit Child(const std::vector<std::string>& words,
                 const std::vector<std::string>& variables = {});
  // Sends SIGTERM and waits for its end.
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // Waits until it has written the text, or has ended; two minutes at most. What it has written so
  // far.
  std::string AwaitText(const std::string& text);
  // Waits for its end.
  Outcome Await();
  void Signal(int number) const;
  pid_t pid() const { return pid_; }

 private:
  void ReadAll(int pipe);

  pid_t pid_ = -1;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string text_;
  bool ended_ = false;
  bool waited_ = false;
  int code_ = -1;
  std::thread reader_;
};

// Runs a program to its end.
Outcome RunToEnd(const std::vector<std::string>& words,
                 const std::vector<std::string>& variables = {});

}  // namespace thalweg::commands
