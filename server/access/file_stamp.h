// Whether a file has changed.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

namespace thalweg::access {

// Of two states of a path with equal stamps, what is there is taken for the same. Replacing a file
// by a rename, as editors and secret mounts do, always changes it.
struct FileStamp {
  dev_t device = 0;
  ino_t inode = 0;
  off_t bytes = 0;
  std::int64_t modified_s = 0;
  std::int64_t modified_ns = 0;

  friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

// A file that is not there has the stamp of nothing.
FileStamp StampOf(const std::string& path);

}  // namespace thalweg::access
