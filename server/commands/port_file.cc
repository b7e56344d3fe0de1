#include "server/commands/port_file.h"

#include "absl/strings/str_cat.h"
#include "proto/files/temporary.h"
#include "proto/files/whole_file.h"

namespace thalweg::commands {

absl::Status WritePortFile(const std::string& path, int port) {
  files::RemoveAbandoned(path);
  absl::Status written = files::WriteWhole(path, absl::StrCat(port, "\n"));
  if (written.ok()) return written;
  return absl::Status(written.code(), absl::StrCat("write port file: ", written.message()));
}

}  // namespace thalweg::commands
