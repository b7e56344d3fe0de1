#include "server/commands/port_file.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>

#include "absl/strings/str_cat.h"

namespace thalweg::commands {

absl::Status WritePortFile(const std::string& path, int port) {
  const std::string beside = absl::StrCat(path, ".", getpid(), ".new");
  std::ofstream file(beside, std::ios::trunc);
  file << port << "\n";
  file.close();
  if (!file || std::rename(beside.c_str(), path.c_str()) != 0) {
    absl::Status status = absl::ErrnoToStatus(errno, absl::StrCat("write port file ", path));
    std::remove(beside.c_str());
    return status;
  }
  return absl::OkStatus();
}

}  // namespace thalweg::commands
