// A stamp shows whether a file has changed.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

namespace thalweg::access {

// Two states of a path with equal stamps count as equal. Replacing a file by a rename, as editors
// and secret mounts do, always changes the stamp.
struct FileStamp {
  dev_t device = 0;
  ino_t inode = 0;
  off_t bytes = 0;
  std::int64_t modified_s = 0;
  std::int64_t modified_ns = 0;

  friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

// The stamp of a path. A missing file has a default stamp.
FileStamp StampOf(const std::string& path);

}  // namespace thalweg::access
