#include "server/access/reloaded.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <thread>

#include "proto/base/whole_file.h"
#include "proto/wire/invalid.h"
#include "proto/wire/status_macros.h"

namespace thalweg::access {
namespace {

constexpr int kMaxThreads = 16;
// An editor that writes in place empties the file first. A file that is still empty after this time
// is meant to be.
constexpr std::chrono::milliseconds kEmptyTime{100};

absl::StatusOr<std::string> ReadSettled(const ReadFile& read, const std::string& path) {
  absl::StatusOr<std::string> text = read(path);
  if (!text.ok() || !text->empty()) return text;
  std::this_thread::sleep_for(kEmptyTime);
  return read(path);
}

FilesFound LookAt(const std::vector<std::string>& files, const ReadFile& read,
                  const std::vector<FileStamp>& known, std::atomic<std::size_t>& at) {
  FilesFound found;
  for (std::size_t k = 0; k < files.size(); ++k) {
    at = k;
    found.stamps.push_back(StampOf(files[k]));
  }
  if (found.stamps == known) return found;
  std::vector<std::string> texts;
  for (std::size_t k = 0; k < files.size(); ++k) {
    at = k;
    absl::StatusOr<std::string> text = ReadSettled(read, files[k]);
    if (!text.ok()) {
      found.texts = text.status();
      return found;
    }
    texts.push_back(*std::move(text));
  }
  found.texts = std::move(texts);
  return found;
}

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
  if (size > kMaxBytes) {
    return absl::InvalidArgumentError(absl::StrCat("the file ", path, " is larger than 1 MiB"));
  }
  return text;
}

}  // namespace

FileStamp StampOf(const std::string& path) {
  struct stat found;
  if (stat(path.c_str(), &found) != 0) return {};
  return {.device = found.st_dev,
          .inode = found.st_ino,
          .bytes = found.st_size,
          .modified_s = found.st_mtim.tv_sec,
          .modified_ns = found.st_mtim.tv_nsec};
}

FileReader::FileReader(std::vector<std::string> files, ReadFile read)
    : files_(std::move(files)), read_(std::move(read)) {}

void FileReader::Begin(std::vector<FileStamp> known) {
  if (*threads_ >= kMaxThreads) return;
  std::promise<FilesFound> promise;
  std::future<FilesFound> found = promise.get_future();
  auto at = std::make_shared<std::atomic<std::size_t>>(0);
  ++*threads_;
  try {
    std::thread([files = files_, read = read_, known = std::move(known), at, threads = threads_,
                 promise = std::move(promise)]() mutable {
      FilesFound result = LookAt(files, read, known, *at);
      --*threads;
      promise.set_value(std::move(result));
    }).detach();
  } catch (const std::system_error&) {
    // The system has no thread left; the next look tries again.
    --*threads_;
    return;
  }
  at_ = std::move(at);
  found_ = std::move(found);
}

std::optional<FilesFound> FileReader::Await(std::chrono::milliseconds patience) {
  if (!found_.valid() || found_.wait_for(patience) != std::future_status::ready) {
    return std::nullopt;
  }
  return found_.get();
}

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
