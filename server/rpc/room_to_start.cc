#include "server/rpc/room_to_start.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <latch>
#include <system_error>
#include <thread>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"

namespace thalweg::rpc {
namespace {

// gRPC 1.51 opens five with one listener.
constexpr int kFiles = 8;

// What gRPC 1.51 starts: two executors, two timers, one thread for reflection, those that take
// events and run callbacks, and a few more while it is busy.
int ThreadsOfGrpc() {
  const auto processors = static_cast<int>(std::thread::hardware_concurrency());
  constexpr int kMore = 4;
  return 5 + kMore + std::clamp(processors, 2, 32) + std::clamp(processors / 2, 2, 16);
}

absl::Status CheckThreads(int count) {
  std::latch end(1);
  std::vector<std::jthread> threads;
  const absl::Cleanup release = [&end] { end.count_down(); };
  try {
    while (static_cast<int>(threads.size()) < count) {
      threads.emplace_back([&end] { end.wait(); });
    }
  } catch (const std::system_error& error) {
    return absl::ResourceExhaustedError(
        absl::StrCat("start gRPC: expected ", count, " threads, the system made only ",
                     threads.size(), " (", error.what(),
                     "); raise the limit of processes (ulimit -u, TasksMax) or of memory (ulimit "
                     "-v), or set fewer --threads"));
  }
  return absl::OkStatus();
}

absl::Status CheckFiles(int count) {
  std::vector<int> files;
  const absl::Cleanup close_all = [&files] { std::ranges::for_each(files, &close); };
  while (static_cast<int>(files.size()) < count) {
    const int file = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (file < 0) {
      return absl::ResourceExhaustedError(
          absl::StrCat("start gRPC: expected ", count, " files, the system opened only ",
                       files.size(), " (", std::generic_category().message(errno),
                       "); raise the limit of open files (ulimit -n, LimitNOFILE)"));
    }
    files.push_back(file);
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckRoomToStart() {
  absl::Status files = CheckFiles(kFiles);
  return files.ok() ? CheckThreads(ThreadsOfGrpc()) : files;
}

}  // namespace thalweg::rpc
