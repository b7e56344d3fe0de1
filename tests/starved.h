// Runs code in a process that lacks threads or file descriptors.
#pragma once

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <system_error>

#include "absl/functional/function_ref.h"

namespace thalweg {

// Sanitizers take more addresses than a limit would leave.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kThreadsCanRunOut = false;
#else
inline constexpr bool kThreadsCanRunOut = true;
#endif

// More threads than have room for their stacks in RunWithoutRoomForStacks.
inline constexpr int kTooManyThreads = 1'000;

// Calls `run` in a child process, and returns what it returned, 0 to 255. Negative if the child
// aborted, or was not done within a minute.
inline int RunInChild(absl::FunctionRef<int()> run) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    _exit(run());
  }
  int status = -1;
  if (waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
  return WEXITSTATUS(status);
}

// The same, where the system soon makes no more threads. The limit of processes would do it too,
// but not for root.
inline int RunWithoutRoomForStacks(absl::FunctionRef<int()> run) {
  return RunInChild([run] {
    constexpr rlim_t kRoom = rlim_t{64} << 20;
    rlim_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const rlim_t bytes = pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + kRoom;
    const rlimit limit{bytes, bytes};
    setrlimit(RLIMIT_AS, &limit);
    return run();
  });
}

// Whether `make` throws what the standard library does where a thread can't be made.
inline bool ThrowsForWantOfThreads(absl::FunctionRef<void()> make) {
  return RunWithoutRoomForStacks([make] {
           try {
             make();
           } catch (const std::system_error& error) {
             return error.code() == std::errc::resource_unavailable_try_again ? 1 : 2;
           }
           return 0;
         }) == 1;
}

}  // namespace thalweg
