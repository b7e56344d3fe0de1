#include "server/world/world_folder.h"

#include <algorithm>
#include <fstream>
#include <system_error>
#include <utility>

#include "proto/text/world_text.h"
#include "proto/wire/invalid.h"
#include "proto/wire/status_macros.h"

namespace thalweg::world {
namespace {

constexpr std::uintmax_t kLargestFileBytes = 1 << 20;

absl::StatusOr<std::string> ReadFile(const std::filesystem::path& path) {
  std::error_code error;
  const std::uintmax_t bytes = std::filesystem::file_size(path, error);
  if (error) return absl::UnavailableError(absl::StrCat("read: ", error.message()));
  if (bytes > kLargestFileBytes) {
    return wire::Invalid("file", absl::StrCat("max ", kLargestFileBytes, " bytes"), bytes);
  }
  std::string text(bytes, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(text.data(), static_cast<std::streamsize>(bytes));
  if (!file) return absl::UnavailableError("read: the file ended early; is it being written?");
  return text;
}

absl::StatusOr<std::shared_ptr<const World>> ReadWorld(const std::filesystem::path& path,
                                                       const FindElevation& find) {
  THALWEG_ASSIGN_OR_RETURN(const std::string text, ReadFile(path));
  THALWEG_ASSIGN_OR_RETURN(const v1::WorldSpec spec, path.extension() == ".json"
                                                         ? text::WorldFromJson(text)
                                                         : text::WorldFromText(text));
  return World::Create(spec, find);
}

absl::Status FolderError(const std::filesystem::path& folder, const std::error_code& error) {
  const std::string message =
      absl::StrCat("read worlds folder '", folder.string(), "': ", error.message());
  return error == std::errc::permission_denied ? absl::PermissionDeniedError(message)
                                               : absl::NotFoundError(message);
}

}  // namespace

absl::StatusOr<std::vector<WorldFile>> ReadWorldFolder(const std::filesystem::path& folder,
                                                       const FindElevation& find) {
  std::error_code error;
  std::vector<std::filesystem::path> paths;
  std::filesystem::directory_iterator entry(folder, error);
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    const std::filesystem::path extension = entry->path().extension();
    if (extension == ".json" || extension == ".textproto") paths.push_back(entry->path());
  }
  if (error) return FolderError(folder, error);
  std::sort(paths.begin(), paths.end());
  std::vector<WorldFile> files;
  for (const std::filesystem::path& path : paths) {
    files.push_back({.file_name = path.filename().string(), .world = ReadWorld(path, find)});
  }
  return files;
}

}  // namespace thalweg::world
