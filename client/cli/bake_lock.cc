#include "client/cli/bake_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>

#include "absl/strings/str_cat.h"

namespace thalweg::cli {
namespace {

std::string HostName() {
  std::array<char, 256> name = {};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

// Whether a path still leads to an open file: the holder before may have removed it.
bool IsAt(const std::string& path, int file) {
  struct stat opened {};
  struct stat named {};
  return fstat(file, &opened) == 0 && stat(path.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

// Returns " (process 123)", with the host if it is not this one; nothing if the holder has not told
// it yet. A container is a host, since its processes have numbers of their own.
std::string HolderOf(int file) {
  std::array<char, 512> bytes;
  const ssize_t size = pread(file, bytes.data(), bytes.size(), 0);
  const std::string text(bytes.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
  const std::size_t space = text.find(' ');
  const std::size_t end = text.find('\n');
  if (space == std::string::npos || end == std::string::npos || space > end) return "";
  const std::string host = text.substr(space + 1, end - space - 1);
  return absl::StrCat(" (process ", text.substr(0, space),
                      host == HostName() ? "" : absl::StrCat(" on ", host), ")");
}

}  // namespace

BakeLock::BakeLock(int file) : file_(file) {}

BakeLock::~BakeLock() {
  // Before the lock ends: a process that takes the lock of a removed file notices it.
  if (!path_.empty()) unlink(path_.c_str());
}

absl::StatusOr<std::unique_ptr<BakeLock>> BakeLock::Take(const std::string& out) {
  const std::string path = absl::StrCat(out, ".bake.lock");
  for (;;) {
    std::unique_ptr<BakeLock> lock(
        new BakeLock(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666)));
    const int file = lock->file_.number();
    // What is wrong with the folder, the bake says when it writes there.
    if (file < 0) return lock;
    if (flock(file, LOCK_EX | LOCK_NB) != 0) {
      if (errno == EWOULDBLOCK) {
        return absl::FailedPreconditionError(
            absl::StrCat("another bake", HolderOf(file), " is writing '", out,
                         "'; wait for it or choose another --out"));
      }
      unlink(path.c_str());
      return lock;
    }
    if (!IsAt(path, file)) continue;
    lock->path_ = path;
    const std::string holder = absl::StrCat(getpid(), " ", HostName(), "\n");
    // The number is only for the message.
    if (ftruncate(file, 0) == 0) files::WriteAll(file, path, holder).IgnoreError();
    return lock;
  }
}

}  // namespace thalweg::cli
