#include "server/access/text_file.h"

#include <cerrno>
#include <fstream>
#include <iterator>

#include "proto/wire/invalid.h"

namespace thalweg::access {

absl::StatusOr<std::string> ReadTextFile(const std::string& path) {
  constexpr std::size_t kMaxBytes = std::size_t{1} << 20;
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string text(kMaxBytes + 1, '\0');
  if (file) {
    // A folder can be opened, but reading it fails here.
    errno = 0;
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
  }
  if (!file.is_open() || file.bad()) {
    return absl::ErrnoToStatus(errno == 0 ? EIO : errno, absl::StrCat("read ", path));
  }
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > kMaxBytes) {
    return wire::Invalid(absl::StrCat("file ", path), "max 1 MiB", "more");
  }
  return text;
}

}  // namespace thalweg::access
