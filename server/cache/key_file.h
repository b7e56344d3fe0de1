// The keys of a cache, in a file that only users who may write tiles can read.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/cache/mac.h"

namespace thalweg::cache {

// A key as its line of a file: 64 hexadecimal digits.
std::string KeyLine(const MacKey& key);

// One or two keys, a line each; the first signs, both verify. Empty lines, lines that begin with
// '#' and spaces around a key are ignored. INVALID_ARGUMENT names the line, never a key.
absl::StatusOr<MacKeys> ParseKeys(std::string_view text);

// Reads such a file. NOT_FOUND: there is none. PERMISSION_DENIED: this process may not read it,
// users other than its owner may write it, users outside its owner and group may read it, or its
// owner is neither root nor this process's user. INVALID_ARGUMENT: its text is wrong. Every error
// names the file and what to do.
absl::StatusOr<MacKeys> ReadKeyFile(const std::string& path);

// Makes a file with a new key that only this user may read: whole or not at all, and on the disk
// when it returns. Replaces an existing file. Errors are the system's.
absl::Status MakeKeyFile(const std::string& path);

}  // namespace thalweg::cache
