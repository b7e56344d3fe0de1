// Programs as child processes of a test.
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

// A program that runs beside the test, until the object is destroyed.
class Child {
 public:
  // `words` is the command line, the program first. `variables` are NAME=VALUE, in addition to the
  // test's own environment. Aborts if the program does not exist.
  explicit Child(const std::vector<std::string>& words,
                 const std::vector<std::string>& variables = {});
  // Sends SIGTERM and waits for its end.
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // Waits until the program has written the text or has ended, at most two minutes. Returns all
  // that it has written so far.
  std::string AwaitText(const std::string& text);
  // The next line that the program writes; empty if it has ended.
  std::string ReadLine();
  // Whether the program, or one that it has started, still has its output open.
  bool is_running();
  // Waits for its end.
  Outcome Await();
  void Signal(int number) const;
  // Sends SIGSTOP and waits until the program has stopped. SIGCONT continues it.
  void Stop() const;
  // Sends SIGKILL and waits until the program has ended.
  void Kill();
  pid_t pid() const { return pid_; }

 private:
  void ReadAll(int pipe);

  pid_t pid_ = -1;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string text_;
  // How much of the text ReadLine has returned.
  std::size_t read_ = 0;
  bool ended_ = false;
  bool waited_ = false;
  int code_ = -1;
  std::thread reader_;
};

// Runs a program to its end.
Outcome RunToEnd(const std::vector<std::string>& words,
                 const std::vector<std::string>& variables = {});

}  // namespace thalweg::child
