// The keys of a cache, in a file that only those may read who may write tiles.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/cache/mac.h"

namespace thalweg::cache {

// A key as its line of a file: 64 hexadecimal digits.
std::string KeyLine(const MacKey& key);

// One or two keys, a line each; the first signs, both verify. Empty lines and those that begin with
// '#' say nothing, spaces around a key neither. INVALID_ARGUMENT names the line, never a key.
absl::StatusOr<MacKeys> ParseKeys(std::string_view text);

// Reads such a file. NOT_FOUND: there is none. PERMISSION_DENIED: it may not be read, or others
// than its owner may write it, or others than its owner and group may read it, or its owner is
// neither root nor this process's user. INVALID_ARGUMENT: its text is wrong. Every error names the
// file and what to do.
absl::StatusOr<MacKeys> ReadKeyFile(const std::string& path);

// Makes a file with a new key, for this user only: whole or not at all, and on the disk when it
// returns. Takes the place of a file that is there. What the system says if that fails.
absl::Status MakeKeyFile(const std::string& path);

}  // namespace thalweg::cache
