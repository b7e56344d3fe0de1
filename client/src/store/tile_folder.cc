#include "client/src/store/tile_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/wire/status_macros.h"

namespace thalweg {
namespace {

namespace fs = std::filesystem;

constexpr char kTemporary[] = ".writing";
// Unfinished files older than this were left by a killed program.
constexpr auto kStale = std::chrono::hours(1);
// Even a small file takes a block of the disk and some memory here. So there are at most as many
// files as blocks that fill the folder, or this many if that is more.
constexpr std::uint64_t kBlockBytes = 4'096;
constexpr std::uint64_t kAnyFiles = 1'024;

absl::Status Failed(const char* operation, const fs::path& path, const std::string& why) {
  return absl::UnknownError(absl::StrCat(operation, " ", path.string(), ": ", why));
}

// Reads up to `max_bytes`.
absl::StatusOr<std::string> ReadSome(int file, std::size_t max_bytes) {
  std::string bytes(max_bytes, '\0');
  std::size_t size = 0;
  while (size < max_bytes) {
    const ssize_t more = read(file, bytes.data() + size, max_bytes - size);
    if (more < 0 && errno == EINTR) continue;
    if (more < 0) return absl::DataLossError(std::strerror(errno));
    if (more == 0) break;
    size += static_cast<std::size_t>(more);
  }
  bytes.resize(size);
  return bytes;
}

// Reads a whole file; of a file that is too large, one byte more than allowed. NOT_FOUND if it does
// not exist or is not a regular file: a pipe, for example, would block.
absl::StatusOr<std::string> ReadAll(const fs::path& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0)
    return absl::NotFoundError(absl::StrCat("read ", path.string(), ": expected a file, got none"));
  struct stat what;
  absl::StatusOr<std::string> bytes = absl::NotFoundError(
      absl::StrCat("read ", path.string(), ": expected a file, got something else"));
  if (fstat(file, &what) == 0 && S_ISREG(what.st_mode)) {
    const auto size = static_cast<std::uint64_t>(what.st_size);
    bytes = ReadSome(file, std::min<std::uint64_t>(size, kMaxFileBytes + 1));
  }
  close(file);
  return bytes;
}

absl::Status WriteAll(const fs::path& path, const std::string& bytes) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file) return Failed("write", path, std::strerror(errno));
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::unique_ptr<TileFolder>> TileFolder::Open(const std::string& folder,
                                                             std::uint64_t max_bytes) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return Failed("make the cache folder", folder, error.message());
  if (access(folder.c_str(), R_OK | W_OK | X_OK) != 0) {
    return Failed("use the cache folder", folder, std::strerror(errno));
  }
  std::unique_ptr<TileFolder> opened(new TileFolder(folder, max_bytes));
  opened->Scan();
  return opened;
}

void TileFolder::Scan() {
  std::vector<std::pair<fs::file_time_type, File>> found;
  std::error_code error;
  const auto now = fs::file_time_type::clock::now();
  fs::recursive_directory_iterator at(folder_, error);
  for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    std::error_code gone;
    // The folder's own files are WORLD/FILE, not deeper.
    if (at.depth() > 0) at.disable_recursion_pending();
    const fs::path& path = at->path();
    const auto time = at->last_write_time(gone);
    if (gone || !at->is_regular_file(gone)) continue;
    const std::uint64_t size = at->file_size(gone);
    if (gone) continue;
    if (path.extension() == kTemporary && now - time > kStale) fs::remove(path, gone);
    if (FromFileName(path.filename().string())) found.emplace_back(time, File{path, size});
  }
  std::sort(found.begin(), found.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  const std::lock_guard lock(mutex_);
  for (const auto& [time, file] : found) Add(file.path, file.bytes);
  Shrink();
}

std::vector<FiledTile> TileFolder::List(const std::string& world) const {
  const std::lock_guard lock(mutex_);
  std::vector<FiledTile> tiles;
  for (const File& file : files_) {
    if (file.path.parent_path().filename() != world) continue;
    if (auto tile = FromFileName(file.path.filename().string())) tiles.push_back(*tile);
  }
  return tiles;
}

absl::StatusOr<v1::Tile> TileFolder::Read(const std::string& world, const FiledTile& tile) {
  const fs::path path = PathOf(world, tile);
  const auto bytes = ReadAll(path);
  absl::StatusOr<v1::Tile> message = bytes.ok() ? FromFile(*bytes, tile) : bytes.status();
  const std::lock_guard lock(mutex_);
  if (!message.ok()) {
    Remove(path);
    if (!absl::IsDataLoss(message.status())) return message.status();
    return absl::DataLossError(
        absl::StrCat("read ", path.string(), ": ", message.status().message()));
  }
  const auto found = by_path_.find(path.string());
  if (found != by_path_.end()) files_.splice(files_.begin(), files_, found->second);
  // The files' times keep the order of use after the program ends.
  utimensat(AT_FDCWD, path.c_str(), nullptr, 0);
  return message;
}

absl::Status TileFolder::Write(const std::string& world, const FiledTile& tile,
                               const v1::Tile& message) {
  const fs::path path = PathOf(world, tile);
  fs::path temporary;
  {
    const std::lock_guard lock(mutex_);
    if (by_path_.contains(path.string())) return absl::OkStatus();
    temporary = path.parent_path() / absl::StrCat(getpid(), "-", ++temporaries_, kTemporary);
  }
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  if (error) return Failed("make the cache folder", path.parent_path(), error.message());
  const std::string bytes = FileOf(message);
  absl::Status written = WriteAll(temporary, bytes);
  if (written.ok()) {
    fs::rename(temporary, path, error);
    if (error) written = Failed("write", path, error.message());
  }
  if (!written.ok()) {
    fs::remove(temporary, error);
    return written;
  }
  const std::lock_guard lock(mutex_);
  Add(path, bytes.size());
  Shrink();
  return absl::OkStatus();
}

void TileFolder::Discard(const std::string& world, const FiledTile& tile) {
  const std::lock_guard lock(mutex_);
  Remove(PathOf(world, tile));
}

bool TileFolder::Contains(const std::string& world, const FiledTile& tile) const {
  const std::lock_guard lock(mutex_);
  return by_path_.contains(PathOf(world, tile).string());
}

std::uint64_t TileFolder::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

fs::path TileFolder::PathOf(const std::string& world, const FiledTile& tile) const {
  return folder_ / world / FileNameOf(tile);
}

void TileFolder::Add(const fs::path& path, std::uint64_t bytes) {
  if (by_path_.contains(path.string())) return;
  files_.push_front({path, bytes});
  by_path_[path.string()] = files_.begin();
  bytes_ += bytes;
}

void TileFolder::Remove(const fs::path& path) {
  std::error_code gone;
  fs::remove(path, gone);
  const auto found = by_path_.find(path.string());
  if (found == by_path_.end()) return;
  bytes_ -= found->second->bytes;
  files_.erase(found->second);
  by_path_.erase(found);
}

void TileFolder::Shrink() {
  const std::uint64_t max_files = std::max(max_bytes_ / kBlockBytes, kAnyFiles);
  while ((bytes_ > max_bytes_ || files_.size() > max_files) && !files_.empty()) {
    // A copy, because the entry is removed with its file.
    const fs::path last = files_.back().path;
    Remove(last);
  }
}

}  // namespace thalweg
