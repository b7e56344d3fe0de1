#include "client/cli/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/files/whole_file.h"

namespace thalweg::cli {
namespace {

constexpr mode_t kMode = 0666;

// Returns a path that links a nameless file to a name.
std::string SelfPath(int file) { return absl::StrCat("/proc/self/fd/", file); }

// Returns -1 if the file system or the system has no nameless files.
int OpenNameless(const std::string& folder) {
  const int file = open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, kMode);
  if (file < 0) return -1;
  if (access(SelfPath(file).c_str(), F_OK) == 0) return file;
  close(file);
  return -1;
}

}  // namespace

OutputFile::OutputFile(std::string shown, std::string target, std::string temporary, int file,
                       Kind kind)
    : shown_(std::move(shown)),
      target_(std::move(target)),
      temporary_(std::move(temporary)),
      file_(file),
      kind_(kind) {}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : shown_(std::move(other.shown_)),
      target_(std::move(other.target_)),
      temporary_(std::move(other.temporary_)),
      file_(std::exchange(other.file_, -1)),
      kind_(other.kind_) {}

OutputFile::~OutputFile() {
  if (file_ < 0) return;
  close(file_);
  if (kind_ == Kind::kNamed) unlink(temporary_.c_str());
}

absl::StatusOr<OutputFile> OutputFile::Create(const std::string& path) {
  if (path == "-") {
    const int file = dup(STDOUT_FILENO);
    if (file < 0) return files::SystemError("write", "standard output", errno);
    return OutputFile("standard output", "", "", file, Kind::kDirect);
  }
  struct stat there = {};
  if (stat(path.c_str(), &there) == 0 && !S_ISREG(there.st_mode)) {
    const int file = open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (file < 0) return files::SystemError("write", path, errno);
    return OutputFile(path, path, "", file, Kind::kDirect);
  }
  std::error_code ignored;
  std::filesystem::path target = std::filesystem::weakly_canonical(path, ignored);
  if (target.empty()) target = path;
  const std::string folder = target.has_parent_path() ? target.parent_path().string() : ".";
  const std::string temporary = absl::StrCat(folder, "/.", target.filename().string(), ".",
                                             static_cast<long>(getpid()), ".part");
  if (const int file = OpenNameless(folder); file >= 0) {
    return OutputFile(path, target.string(), temporary, file, Kind::kNameless);
  }
  const int file = open(temporary.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, kMode);
  if (file < 0) return files::SystemError("write", path, errno);
  return OutputFile(path, target.string(), temporary, file, Kind::kNamed);
}

absl::Status OutputFile::Error(const char* operation, int error) const {
  return files::SystemError(operation, shown_, error);
}

absl::Status OutputFile::Write(std::span<const std::uint8_t> bytes) {
  return files::WriteAll(file_, shown_,
                         {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

absl::Status OutputFile::WriteAll(const std::string& bytes) {
  const absl::Status written =
      Write({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
  return written.ok() ? Commit() : written;
}

absl::Status OutputFile::Commit() {
  // The name must not reach the disk before the bytes do.
  if (kind_ != Kind::kDirect && fsync(file_) != 0) return Error("write", errno);
  if (kind_ == Kind::kNameless) {
    unlink(temporary_.c_str());
    if (linkat(AT_FDCWD, SelfPath(file_).c_str(), AT_FDCWD, temporary_.c_str(),
               AT_SYMLINK_FOLLOW) != 0) {
      return Error("write", errno);
    }
    kind_ = Kind::kNamed;
  }
  // Network file systems report a full disk only when the file is closed.
  if (close(std::exchange(file_, -1)) != 0) {
    const int error = errno;
    if (kind_ == Kind::kNamed) unlink(temporary_.c_str());
    return Error("write", error);
  }
  if (kind_ == Kind::kDirect) return absl::OkStatus();
  return files::NameFinished(temporary_, target_);
}

}  // namespace thalweg::cli
