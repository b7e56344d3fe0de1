#include "server/cache/key_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "proto/base/temporary.h"
#include "proto/base/whole_file.h"
#include "proto/wire/status_macros.h"

namespace thalweg::cache {
namespace {

constexpr std::size_t kKeyDigits = 2 * kMacKeyBytes;
constexpr std::size_t kMaxFileBytes = 4'096;
// Other users must have no access to the file, and the group no write access.
constexpr mode_t kForbidden = S_IRWXO | S_IWGRP | S_IXGRP;

absl::StatusOr<MacKey> ParseKey(absl::string_view digits) {
  if (digits.size() != kKeyDigits) {
    return absl::InvalidArgumentError(absl::StrCat(
        "expected ", kKeyDigits, " hexadecimal digits, got ", digits.size(), " characters"));
  }
  if (!std::all_of(digits.begin(), digits.end(),
                   [](char c) { return absl::ascii_isxdigit(static_cast<unsigned char>(c)); })) {
    return absl::InvalidArgumentError(
        absl::StrCat("expected ", kKeyDigits, " hexadecimal digits, but a character is not one"));
  }
  const std::string bytes = absl::HexStringToBytes(digits);
  MacKey key;
  std::copy(bytes.begin(), bytes.end(), key.begin());
  return key;
}

absl::Status CheckOwnerAndMode(const std::string& path, const struct stat& facts) {
  if (!S_ISREG(facts.st_mode)) {
    return absl::PermissionDeniedError(
        absl::StrCat("invalid key file ", path, ": not a regular file"));
  }
  if (facts.st_uid != geteuid() && facts.st_uid != 0) {
    return absl::PermissionDeniedError(absl::StrFormat(
        "invalid key file %s: expected a file of user %d or of root, but user %d owns it; run "
        "`chown %d %s`",
        path, geteuid(), facts.st_uid, geteuid(), path));
  }
  if ((facts.st_mode & kForbidden) != 0) {
    return absl::PermissionDeniedError(absl::StrFormat(
        "invalid key file %s: expected mode 0600 or 0640, got %04o; anyone who reads the key can "
        "forge tiles: run `chmod 600 %s`",
        path, facts.st_mode & 07777, path));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> ReadPrivateText(const std::string& path) {
  // Non-blocking, since opening a pipe would block.
  const files::Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.is_open()) return absl::ErrnoToStatus(errno, absl::StrCat("read key file ", path));
  struct stat facts {};
  if (fstat(file.number(), &facts) != 0) {
    return absl::ErrnoToStatus(errno, absl::StrCat("read key file ", path));
  }
  THALWEG_RETURN_IF_ERROR(CheckOwnerAndMode(path, facts));
  std::string text(kMaxFileBytes + 1, '\0');
  std::size_t size = 0;
  while (size < text.size()) {
    const ssize_t count = read(file.number(), text.data() + size, text.size() - size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return absl::ErrnoToStatus(errno, absl::StrCat("read key file ", path));
    if (count == 0) break;
    size += static_cast<std::size_t>(count);
  }
  text.resize(size);
  return text;
}

}  // namespace

std::string KeyLine(const MacKey& key) {
  return absl::BytesToHexString({reinterpret_cast<const char*>(key.data()), key.size()});
}

absl::StatusOr<MacKeys> ParseKeys(std::string_view text) {
  std::vector<MacKey> keys;
  int number = 0;
  for (absl::string_view line : absl::StrSplit(absl::string_view(text.data(), text.size()), '\n')) {
    ++number;
    line = absl::StripAsciiWhitespace(line);
    if (line.empty() || line.front() == '#') continue;
    absl::StatusOr<MacKey> key = ParseKey(line);
    if (!key.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat("line ", number, ": ", key.status().message()));
    }
    keys.push_back(*key);
  }
  if (keys.empty() || keys.size() > 2) {
    return absl::InvalidArgumentError(absl::StrCat("expected 1 or 2 keys, got ", keys.size()));
  }
  MacKeys parsed{.signing = keys.front()};
  if (keys.size() == 2) parsed.also_accepted = keys.back();
  return parsed;
}

absl::StatusOr<MacKeys> ReadKeyFile(const std::string& path) {
  THALWEG_ASSIGN_OR_RETURN(const std::string text, ReadPrivateText(path));
  if (text.size() > kMaxFileBytes) {
    return absl::InvalidArgumentError(
        absl::StrCat("invalid key file ", path, ": larger than ", kMaxFileBytes, " bytes"));
  }
  absl::StatusOr<MacKeys> keys = ParseKeys(text);
  if (keys.ok()) return keys;
  return absl::Status(keys.status().code(),
                      absl::StrCat("invalid key file ", path, ": ", keys.status().message()));
}

absl::Status MakeKeyFile(const std::string& path) {
  const std::string text = absl::StrCat(
      "# Signs and verifies the tiles of a cache of thalwegd. Whoever reads it can forge tiles.\n",
      KeyLine(RandomMacKey()), "\n");
  files::RemoveAbandoned(path);
  absl::Status written = files::WriteWhole(path, text, S_IRUSR | S_IWUSR);
  if (written.ok()) return written;
  return absl::Status(written.code(), absl::StrCat("write key file: ", written.message()));
}

}  // namespace thalweg::cache
