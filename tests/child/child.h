// Programs as children of a test.
#pragma once

#include <sys/types.h>

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace thalweg::child {

struct Outcome {
  int code = -1;
  // Standard output and error, in the order of writing.
  std::string text;
};

// A program that runs beside the test; it is stopped with it.
class Child {
 public:
  // Words of the command line, the program first; variables are NAME=VALUE, beside the test's own.
  // Aborts if there is no such program.
  explicit Child(const std::vector<std::string>& words,
                 const std::vector<std::string>& variables = {});
  // Sends SIGTERM and waits for its end.
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // Waits until it has written the text, or has ended; two minutes at most. What it has written so
  // far.
  std::string AwaitText(const std::string& text);
  // The next line that it writes; empty when it has ended.
  std::string ReadLine();
  // Waits for its end.
  Outcome Await();
  void Signal(int number) const;
  // SIGSTOP; returns when it has stopped. SIGCONT lets it go on.
  void Stop() const;
  // SIGKILL; returns when it is gone.
  void Kill();
  pid_t pid() const { return pid_; }

 private:
  void ReadAll(int pipe);

  pid_t pid_ = -1;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string text_;
  // How much of it ReadLine has given out.
  std::size_t read_ = 0;
  bool ended_ = false;
  bool waited_ = false;
  int code_ = -1;
  std::thread reader_;
};

// The word of a log that follows a text; empty if there is none.
std::string WordAfter(const std::string& log, const std::string& text);

// Runs a program to its end.
Outcome RunToEnd(const std::vector<std::string>& words,
                 const std::vector<std::string>& variables = {});

}  // namespace thalweg::child
