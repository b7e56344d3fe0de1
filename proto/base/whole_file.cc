#include "proto/base/whole_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <random>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "proto/base/temporary.h"

namespace thalweg::files {
absl::Status SystemError(std::string_view operation, const std::string& path, int error) {
  return absl::ErrnoToStatus(
      error, absl::StrCat(absl::string_view(operation.data(), operation.size()), " '", path, "'"));
}

Descriptor::~Descriptor() { Close(); }

bool Descriptor::Close() { return number_ < 0 || close(std::exchange(number_, -1)) == 0; }

std::string TemporaryNameOf(const std::string& path) {
  std::random_device random;
  const std::uint64_t high = random();
  return absl::StrCat(path, ".", absl::Hex(high << 32 | random(), absl::kZeroPad16),
                      kTemporaryEnding);
}

absl::Status WriteAll(int file, const std::string& shown, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return SystemError("write", shown, errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return absl::OkStatus();
}

absl::Status Sync(int file, const std::string& shown) {
  return fsync(file) == 0 ? absl::OkStatus() : SystemError("write", shown, errno);
}

absl::Status Sync(const std::string& path, const std::string& shown) {
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  return file.is_open() ? Sync(file.number(), shown) : SystemError("write", shown, errno);
}

absl::Status SyncFolderOf(const std::string& path) {
  const std::filesystem::path parent = std::filesystem::path(path).parent_path();
  const std::string folder = parent.empty() ? "." : parent.string();
  const Descriptor opened(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // Nothing more can be done in a folder that may be written to but not read, or on a file system
  // that does not sync folders.
  if (!opened.is_open() || fsync(opened.number()) == 0) return absl::OkStatus();
  if (errno == EINVAL || errno == ENOTSUP) return absl::OkStatus();
  return SystemError("write", folder, errno);
}

absl::Status NameFinished(const std::string& temporary, const std::string& path) {
  if (rename(temporary.c_str(), path.c_str()) == 0) return SyncFolderOf(path);
  absl::Status error = SystemError("rename to", path, errno);
  unlink(temporary.c_str());
  return error;
}

absl::Status WriteWhole(const std::string& path, std::string_view bytes, mode_t mode) {
  absl::StatusOr<std::unique_ptr<TemporaryFile>> file = TemporaryFile::Create(path, {.mode = mode});
  if (!file.ok()) return file.status();
  const absl::Status written = WriteAll((*file)->number(), path, bytes);
  return written.ok() ? (*file)->Finish() : written;
}

}  // namespace thalweg::files
