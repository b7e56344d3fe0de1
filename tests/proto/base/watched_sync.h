// Shows a test what is on the disk for certain: what a folder has when it is synced is still there
// after a power cut. Replaces fsync of the whole program, so only one source of it may include
// this.
#pragma once

#include <sys/syscall.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"

namespace thalweg::files {

// Called with the path of what is about to be synced, by the thread that syncs it.
inline std::function<void(const std::filesystem::path& path)> watch_sync;

// Watches while it exists; it begins and ends while nothing is synced.
class WatchedSync {
 public:
  explicit WatchedSync(std::function<void(const std::filesystem::path& path)> watch) {
    watch_sync = std::move(watch);
  }
  ~WatchedSync() { watch_sync = nullptr; }
  WatchedSync(const WatchedSync&) = delete;
  WatchedSync& operator=(const WatchedSync&) = delete;
};

}  // namespace thalweg::files

extern "C" int fsync(int file) {
  if (thalweg::files::watch_sync) {
    std::error_code ignored;
    thalweg::files::watch_sync(
        std::filesystem::read_symlink(absl::StrCat("/proc/self/fd/", file), ignored));
  }
  return static_cast<int>(syscall(SYS_fsync, file));
}
