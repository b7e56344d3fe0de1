#include "server/world/elevation_folder.h"

#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/wire/status_macros.h"

namespace thalweg::world {
namespace {

constexpr std::uintmax_t kLargestFileBytes = std::uintmax_t{2} << 30;

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
  if (size > kLargestFileBytes) {
    return ErrorOf(path, absl::DataLossError(absl::StrCat("expected max ", kLargestFileBytes,
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

}  // namespace

FindElevation ElevationsOf(const std::filesystem::path& folder) {
  return [files = std::make_shared<ElevationFolder>(folder)](const std::string& hash) {
    return files->Find(hash);
  };
}

}  // namespace thalweg::world
