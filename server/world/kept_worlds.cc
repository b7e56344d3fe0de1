#include "server/world/kept_worlds.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "proto/files/whole_file.h"
#include "proto/text/message_text.h"
#include "proto/wire/status_macros.h"

namespace thalweg::world {
namespace {

constexpr char kSuffix[] = ".created.json";

absl::Status WriteBeside(const std::string& path, const std::string& text) {
  const files::Descriptor file(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  if (!file.is_open()) return files::SystemError("write", path, errno);
  THALWEG_RETURN_IF_ERROR(files::WriteAll(file.number(), path, text));
  return files::Sync(file.number(), path);
}

}  // namespace

std::string KeptFileName(const std::string& world_name) {
  return absl::StrCat(world_name, kSuffix);
}

bool IsKeptFile(const std::string& file_name) { return absl::EndsWith(file_name, kSuffix); }

absl::Status WriteKeptWorld(const std::filesystem::path& folder, const World& world) {
  THALWEG_ASSIGN_OR_RETURN(const std::string text, text::ToJson(world.spec()));
  const std::filesystem::path path = folder / KeptFileName(world.name());
  const std::filesystem::path beside =
      folder / absl::StrCat(".", world.name(), ".", getpid(), ".new");
  absl::Status written = WriteBeside(beside.string(), text);
  // A link, unlike a rename, does not replace an existing file, which is an operator's own.
  if (written.ok() && link(beside.c_str(), path.c_str()) != 0) {
    written = files::SystemError("write", path.string(), errno);
  }
  unlink(beside.c_str());
  return written.ok() ? files::SyncFolderOf(path.string()) : written;
}

absl::Status DeleteKeptWorld(const std::filesystem::path& folder, const std::string& file_name) {
  std::error_code error;
  std::filesystem::remove(folder / file_name, error);
  if (!error) return absl::OkStatus();
  return absl::ErrnoToStatus(error.value(), absl::StrCat("delete ", (folder / file_name).string()));
}

}  // namespace thalweg::world
