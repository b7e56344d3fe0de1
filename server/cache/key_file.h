// The keys of a cache, in a file that only users who may write tiles can read.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/cache/tile_record.h"

namespace thalweg::cache {

// The line of a file for a key: 64 hexadecimal digits.
std::string KeyLine(const MacKey& key);

// Parses one or two keys, one in each line: the first signs, both verify. Ignores empty lines,
// lines that begin with '#', and spaces around a key. INVALID_ARGUMENT names the line, never a key.
absl::StatusOr<MacKeys> ParseKeys(std::string_view text);

// Reads a file of keys. NOT_FOUND if it does not exist. PERMISSION_DENIED if this process may not
// read it, if users other than its owner may write it, if users outside its owner and group may
// read it, or if its owner is neither root nor this process's user. INVALID_ARGUMENT if its text is
// invalid. Every error names the file and what to do.
absl::StatusOr<MacKeys> ReadKeyFile(const std::string& path);

// Creates a file with a new key that only this user may read; replaces an existing file. The file
// appears whole or not at all, and is on the disk when this returns. Errors are the system's.
absl::Status MakeKeyFile(const std::string& path);

}  // namespace thalweg::cache
