#include "server/world/kept_worlds.h"

#include <string_view>
#include <system_error>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "proto/files/temporary.h"
#include "proto/files/whole_file.h"
#include "proto/text/message_text.h"
#include "proto/wire/status_macros.h"

namespace thalweg::world {
namespace {

constexpr char kSuffix[] = ".created.json";

}  // namespace

std::string KeptFileName(const std::string& world_name) {
  return absl::StrCat(world_name, kSuffix);
}

bool IsKeptFile(const std::string& file_name) { return absl::EndsWith(file_name, kSuffix); }

absl::Status WriteKeptWorld(const std::filesystem::path& folder, const World& world) {
  THALWEG_ASSIGN_OR_RETURN(const std::string text, text::ToJson(world.spec()));
  const std::string path = (folder / KeptFileName(world.name())).string();
  THALWEG_ASSIGN_OR_RETURN(
      const auto file, files::TemporaryFile::Create(path, {.mode = 0644, .operation = "write"}));
  THALWEG_RETURN_IF_ERROR(files::WriteAll(file->number(), path, text));
  absl::Status finished = file->FinishNew();
  if (!absl::IsAlreadyExists(finished)) return finished;
  // An operator's own, or one that is damaged or of another version.
  return absl::AlreadyExistsError(absl::StrCat(
      "keep world '", world.name(), "': expected no file ", KeptFileName(world.name()),
      " in the worlds folder, got one that the server does not serve: remove the file, choose "
      "another name, or create the world without keep"));
}

void RemoveAbandonedWorlds(const std::filesystem::path& folder) {
  files::RemoveAbandoned(folder.string(),
                         [](std::string_view target) { return IsKeptFile(std::string(target)); });
}

absl::Status DeleteKeptWorld(const std::filesystem::path& folder, const std::string& file_name) {
  std::error_code error;
  const std::filesystem::path path = folder / file_name;
  std::filesystem::remove(path, error);
  if (!error) return files::SyncFolderOf(path.string());
  return absl::ErrnoToStatus(error.value(), absl::StrCat("delete ", path.string()));
}

}  // namespace thalweg::world
