#include "client/cli/input_file.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>

#include "proto/wire/invalid.h"

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
      return wire::Invalid(absl::StrCat("file ", path), absl::StrCat("max ", max_bytes, " bytes"),
                           "more");
    }
  }
  if (std::ferror(file.get()) != 0) {
    return absl::ErrnoToStatus(errno, absl::StrCat("read ", path));
  }
  return text;
}

}  // namespace thalweg::cli
