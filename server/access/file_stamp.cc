#include "server/access/file_stamp.h"

#include <sys/stat.h>

namespace thalweg::access {

FileStamp StampOf(const std::string& path) {
  struct stat found;
  if (stat(path.c_str(), &found) != 0) return {};
  return {.device = found.st_dev,
          .inode = found.st_ino,
          .bytes = found.st_size,
          .modified_s = found.st_mtim.tv_sec,
          .modified_ns = found.st_mtim.tv_nsec};
}

}  // namespace thalweg::access
