// A copy of the test's process that is in the middle of writing something, until it is killed.
#pragma once

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace thalweg::child {

class WritingProcess {
 public:
  // Calls `begin` in the process, which keeps what it returns: a pointer to what writes, or null.
  // Returns once it has begun.
  template <typename Begin>
  explicit WritingProcess(const Begin& begin) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return;
    pid_ = fork();
    if (pid_ == 0) {
      const auto writing = begin();
      const char answer = writing != nullptr ? 'y' : 'n';
      if (write(ends[1], &answer, 1) != 1) _exit(1);
      for (;;) pause();
    }
    close(ends[1]);
    char answer = 'n';
    has_begun_ = read(ends[0], &answer, 1) == 1 && answer == 'y';
    close(ends[0]);
  }
  ~WritingProcess() { Kill(); }
  WritingProcess(const WritingProcess&) = delete;
  WritingProcess& operator=(const WritingProcess&) = delete;

  bool has_begun() const { return has_begun_; }
  // Sends SIGKILL and waits until the process has ended.
  void Kill() {
    if (pid_ <= 0) return;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
    pid_ = -1;
  }

 private:
  pid_t pid_ = -1;
  bool has_begun_ = false;
};

}  // namespace thalweg::child
