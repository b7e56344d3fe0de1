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

absl::Status With(const std::filesystem::path& path, const absl::Status& status) {
  return absl::Status(status.code(),
                      absl::StrCat("read '", path.string(), "': ", status.message()));
}

absl::StatusOr<ElevationFilePointer> ReadElevation(const std::filesystem::path& path,
                                                   const std::string& hash) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error) {
    return absl::NotFoundError(absl::StrCat("elevation.sha256: expected the file '", path.string(),
                                            "' that `thalweg import` wrote, got: ",
                                            error.message()));
  }
  if (size > kLargestFileBytes) {
    return With(path, absl::DataLossError(absl::StrCat("expected max ", kLargestFileBytes,
                                                       " bytes, got ", size)));
  }
  std::string bytes(size, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(bytes.data(), static_cast<std::streamsize>(size));
  if (!file) return With(path, absl::UnavailableError("can't read the file"));
  absl::StatusOr<ElevationFilePointer> parsed = elevation::ElevationFile::Parse(std::move(bytes));
  if (!parsed.ok()) return With(path, parsed.status());
  if ((*parsed)->hash() == hash) return parsed;
  return With(path, absl::DataLossError(
                        absl::StrCat("expected SHA-256 ", hash, ", got ", (*parsed)->hash())));
}

// Thread-safe.
class ElevationFolder {
 public:
  explicit ElevationFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}

  absl::StatusOr<ElevationFilePointer> Find(const std::string& hash) {
    const std::lock_guard lock(mutex_);
    std::weak_ptr<const elevation::ElevationFile>& known = known_[hash];
    if (ElevationFilePointer file = known.lock()) return file;
    THALWEG_ASSIGN_OR_RETURN(ElevationFilePointer file,
                             ReadElevation(folder_ / elevation::FileNameOf(hash), hash));
    known = file;
    return file;
  }

 private:
  const std::filesystem::path folder_;
  std::mutex mutex_;
  std::map<std::string, std::weak_ptr<const elevation::ElevationFile>> known_;
};

}  // namespace

FindElevation ElevationsOf(const std::filesystem::path& folder) {
  return [files = std::make_shared<ElevationFolder>(folder)](const std::string& hash) {
    return files->Find(hash);
  };
}

}  // namespace thalweg::world
