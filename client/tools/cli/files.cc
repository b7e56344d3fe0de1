#include "client/tools/cli/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/wire/status_macros.h"

namespace thalweg::cli {
namespace {

struct Close {
  void operator()(FILE* file) const {
    if (file != stdin) std::fclose(file);
  }
};

}  // namespace

absl::StatusOr<std::string> ReadInputFile(const std::string& path, std::size_t max_bytes) {
  const std::unique_ptr<FILE, Close> file(path == "-" ? stdin : std::fopen(path.c_str(), "rb"));
  if (file == nullptr) return absl::ErrnoToStatus(errno, absl::StrCat("read ", path));
  std::string text;
  std::array<char, 65'536> part;
  for (std::size_t n; (n = std::fread(part.data(), 1, part.size(), file.get())) > 0;) {
    text.append(part.data(), n);
    if (text.size() > max_bytes) {
      return absl::InvalidArgumentError(
          absl::StrCat("the file ", path, " is larger than ", max_bytes, " bytes"));
    }
  }
  if (std::ferror(file.get()) != 0) {
    return absl::ErrnoToStatus(errno, absl::StrCat("read ", path));
  }
  return text;
}

OutputFile::OutputFile(std::string shown, int direct)
    : shown_(std::move(shown)), direct_(std::make_unique<files::Descriptor>(direct)) {}

OutputFile::OutputFile(std::string shown, std::unique_ptr<files::TemporaryFile> whole)
    : shown_(std::move(shown)), whole_(std::move(whole)) {}

absl::StatusOr<OutputFile> OutputFile::Create(const std::string& path) {
  if (path == "-") {
    const int file = dup(STDOUT_FILENO);
    if (file < 0) return files::SystemError("write", "standard output", errno);
    return OutputFile("standard output", file);
  }
  struct stat there = {};
  if (stat(path.c_str(), &there) == 0 && !S_ISREG(there.st_mode)) {
    const int file = open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (file < 0) return files::SystemError("write", path, errno);
    return OutputFile(path, file);
  }
  std::error_code ignored;
  std::filesystem::path target = std::filesystem::weakly_canonical(path, ignored);
  if (target.empty()) target = path;
  THALWEG_ASSIGN_OR_RETURN(auto whole, files::TemporaryFile::Create(
                                           target.string(), {.operation = "write", .shown = path}));
  return OutputFile(path, std::move(whole));
}

absl::StatusOr<OutputFile> OutputFile::CreateAfterOthers(const std::string& path) {
  if (path != "-") files::RemoveAbandoned(path);
  return Create(path);
}

absl::Status OutputFile::Write(std::span<const std::uint8_t> bytes) {
  return files::WriteAll(whole_ ? whole_->number() : direct_->number(), shown_,
                         {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

absl::Status OutputFile::WriteAll(const std::string& bytes) {
  const absl::Status written =
      Write({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
  return written.ok() ? Commit() : written;
}

absl::Status OutputFile::Commit() {
  if (whole_) return std::exchange(whole_, nullptr)->Finish();
  // Network file systems report a full disk only when the file is closed.
  return direct_->Close() ? absl::OkStatus() : files::SystemError("write", shown_, errno);
}

}  // namespace thalweg::cli
