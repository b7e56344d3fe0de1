#include "server/world/world_folder.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <mutex>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/text/world_text.h"
#include "proto/wire/invalid.h"
#include "proto/wire/status_macros.h"

namespace thalweg::world {
namespace {

constexpr std::uintmax_t kLargestElevationBytes = std::uintmax_t{2} << 30;

// Callers read these errors too, so they name the file but not its folder.
absl::Status ErrorOf(const std::filesystem::path& path, const absl::Status& status) {
  return absl::Status(
      status.code(),
      absl::StrCat("invalid elevation file ", path.filename().string(), ": ", status.message()));
}

absl::StatusOr<ElevationFilePointer> ReadElevation(const std::filesystem::path& path,
                                                   const std::string& hash) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error) {
    return ErrorOf(path, absl::NotFoundError(absl::StrCat(
                             "expected it beside the world, as `thalweg import` wrote it, got: ",
                             error.message())));
  }
  if (size > kLargestElevationBytes) {
    return ErrorOf(path, absl::DataLossError(absl::StrCat("expected max ", kLargestElevationBytes,
                                                          " bytes, got ", size)));
  }
  std::string bytes(size, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(bytes.data(), static_cast<std::streamsize>(size));
  if (!file)
    return ErrorOf(path, absl::UnavailableError("expected a file that can be read, got an error"));
  absl::StatusOr<ElevationFilePointer> parsed = elevation::ElevationFile::Parse(std::move(bytes));
  if (!parsed.ok()) return ErrorOf(path, parsed.status());
  if ((*parsed)->hash() == hash) return parsed;
  return ErrorOf(path, absl::DataLossError(
                           absl::StrCat("expected SHA-256 ", hash, ", got ", (*parsed)->hash())));
}

// Thread-safe.
class ElevationFolder {
 public:
  explicit ElevationFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}

  absl::StatusOr<ElevationFilePointer> Find(const std::string& hash) {
    const std::lock_guard lock(mutex_);
    if (const auto known = known_.find(hash); known != known_.end()) {
      if (ElevationFilePointer file = known->second.lock()) return file;
    }
    THALWEG_ASSIGN_OR_RETURN(ElevationFilePointer file,
                             ReadElevation(folder_ / elevation::FileNameOf(hash), hash));
    known_[hash] = file;
    return file;
  }

 private:
  const std::filesystem::path folder_;
  std::mutex mutex_;
  // Only files that were found are in it.
  std::map<std::string, std::weak_ptr<const elevation::ElevationFile>> known_;
};

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

FindElevation ElevationsOf(const std::filesystem::path& folder) {
  return [files = std::make_shared<ElevationFolder>(folder)](const std::string& hash) {
    return files->Find(hash);
  };
}

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
