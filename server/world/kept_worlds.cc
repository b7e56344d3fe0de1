#include "server/world/kept_worlds.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "proto/text/message_text.h"
#include "proto/wire/status_macros.h"

namespace thalweg::world {
namespace {

constexpr char kSuffix[] = ".created.json";

class OpenFile {
 public:
  OpenFile(const std::filesystem::path& path, int flags) : fd_(open(path.c_str(), flags, 0644)) {}
  ~OpenFile() {
    if (fd_ >= 0) close(fd_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  bool ok() const { return fd_ >= 0; }
  bool Sync() const { return fsync(fd_) == 0; }
  bool Write(const std::string& text) const {
    for (std::size_t written = 0; written < text.size();) {
      const ssize_t n = write(fd_, text.data() + written, text.size() - written);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) return false;
      written += static_cast<std::size_t>(n);
    }
    return true;
  }

 private:
  const int fd_;
};

bool WriteWhole(const std::filesystem::path& path, const std::string& text) {
  const OpenFile file(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC);
  return file.ok() && file.Write(text) && file.Sync();
}

}  // namespace

std::string KeptFileName(const std::string& world_name) {
  return absl::StrCat(world_name, kSuffix);
}

bool IsKeptFile(const std::string& file_name) { return absl::EndsWith(file_name, kSuffix); }

absl::Status WriteKeptWorld(const std::filesystem::path& folder, const World& world) {
  THALWEG_ASSIGN_OR_RETURN(const std::string text, text::ToJson(world.spec()));
  const std::filesystem::path path = folder / KeptFileName(world.name());
  const std::filesystem::path beside =
      folder / absl::StrCat(".", world.name(), ".", getpid(), ".new");
  // A link, unlike a rename, does not replace an existing file.
  const bool written = WriteWhole(beside, text) && link(beside.c_str(), path.c_str()) == 0;
  const int error = errno;
  unlink(beside.c_str());
  if (!written) return absl::ErrnoToStatus(error, absl::StrCat("write ", path.string()));
  // Writes the folder's entry to the disk too.
  const OpenFile directory(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory.ok()) directory.Sync();
  return absl::OkStatus();
}

absl::Status DeleteKeptWorld(const std::filesystem::path& folder, const std::string& file_name) {
  std::error_code error;
  std::filesystem::remove(folder / file_name, error);
  if (!error) return absl::OkStatus();
  return absl::ErrnoToStatus(error.value(), absl::StrCat("delete ", (folder / file_name).string()));
}

}  // namespace thalweg::world
