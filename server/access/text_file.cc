#include "server/access/text_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>

#include "proto/files/whole_file.h"
#include "proto/wire/invalid.h"
#include "proto/wire/status_macros.h"

namespace thalweg::access {
namespace {

absl::Status ReadError(const std::string& path) {
  return absl::ErrnoToStatus(errno, absl::StrCat("read ", path));
}

const char* KindOf(mode_t mode) {
  if (S_ISFIFO(mode)) return "a named pipe (FIFO)";
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

// `stated` is the result of stat or fstat.
absl::Status RequireRegular(const std::string& path, int stated, const struct stat& facts) {
  if (stated != 0) return ReadError(path);
  if (S_ISREG(facts.st_mode)) return absl::OkStatus();
  return wire::Invalid(absl::StrCat("file ", path), "a regular file", KindOf(facts.st_mode));
}

absl::StatusOr<std::string> ReadOpened(const std::string& path, const files::Descriptor& file) {
  constexpr std::size_t kMaxBytes = std::size_t{1} << 20;
  if (!file.is_open()) return ReadError(path);
  std::string text(kMaxBytes + 1, '\0');
  std::size_t size = 0;
  while (size < text.size()) {
    const ssize_t count = read(file.number(), text.data() + size, text.size() - size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return ReadError(path);
    if (count == 0) break;
    size += static_cast<std::size_t>(count);
  }
  text.resize(size);
  if (size > kMaxBytes) return wire::Invalid(absl::StrCat("file ", path), "max 1 MiB", "more");
  return text;
}

}  // namespace

absl::StatusOr<std::string> ReadTextFile(const std::string& path) {
  return ReadOpened(path, files::Descriptor(open(path.c_str(), O_RDONLY | O_CLOEXEC)));
}

absl::StatusOr<std::string> ReadRegularFile(const std::string& path) {
  struct stat facts {};
  // Asked first, since the opening of a pipe or a device has effects on others.
  THALWEG_RETURN_IF_ERROR(RequireRegular(path, stat(path.c_str(), &facts), facts));
  // Non-blocking, if a pipe has taken its place meanwhile.
  const files::Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!file.is_open()) return ReadError(path);
  THALWEG_RETURN_IF_ERROR(RequireRegular(path, fstat(file.number(), &facts), facts));
  return ReadOpened(path, file);
}

}  // namespace thalweg::access
