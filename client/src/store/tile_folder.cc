#include "client/src/store/tile_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "client/src/contract/messages.h"
#include "proto/wire/status_macros.h"

namespace thalweg {
namespace {

constexpr char kSuffix[] = ".tile";
// Eight numbers with their signs and separators.
constexpr std::size_t kLongestName = 128;

// The header before the message, little-endian.
struct Header {
  char magic[8] = {'t', 'h', 'a', 'l', 't', 'i', 'l', '1'};
  std::uint64_t bytes = 0;
  std::uint64_t checksum = 0;
};
static_assert(sizeof(Header) == 24);

Header HeaderOf(std::string_view body) {
  Header header;
  header.bytes = body.size();
  header.checksum = XXH3_64bits(body.data(), body.size());
  return header;
}

bool Same(const FiledTile& a, const FiledTile& b) {
  return a.key == b.key && a.tag == b.tag && a.facts.geometric_error == b.facts.geometric_error &&
         a.facts.min_height == b.facts.min_height && a.facts.max_height == b.facts.max_height;
}

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
    return absl::NotFoundError(absl::StrCat("read ", path.string(), ": cannot open the file"));
  struct stat what;
  absl::StatusOr<std::string> bytes =
      absl::NotFoundError(absl::StrCat("read ", path.string(), ": not a regular file"));
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

constexpr std::size_t kMaxWrites = 1'024;
constexpr std::size_t kMaxWriteBytes = std::size_t{64} << 20;

}  // namespace

FiledTile FiledAs(const v1::Tile& message) {
  FiledTile tile{.key = ToWire(message.key()), .tag = message.tag(), .facts = {}};
  tile.facts.geometric_error = message.geometric_error();
  for (const v1::TileLayer& layer : message.layers()) {
    if (layer.layer() != v1::LAYER_HEIGHT) continue;
    tile.facts.min_height = layer.min();
    tile.facts.max_height = layer.max();
  }
  return tile;
}

std::string FileNameOf(const FiledTile& tile) {
  return absl::StrFormat("%d_%d_%d_%d_%016x_%u_%d_%d%s", tile.key.face, tile.key.level, tile.key.x,
                         tile.key.y, tile.tag, tile.facts.geometric_error, tile.facts.min_height,
                         tile.facts.max_height, kSuffix);
}

std::optional<FiledTile> FromFileName(const std::string& name) {
  FiledTile tile;
  if (name.size() > kLongestName ||
      std::sscanf(name.c_str(), "%d_%d_%" SCNd64 "_%" SCNd64 "_%" SCNx64 "_%u_%d_%d",
                  &tile.key.face, &tile.key.level, &tile.key.x, &tile.key.y, &tile.tag,
                  &tile.facts.geometric_error, &tile.facts.min_height,
                  &tile.facts.max_height) != 8 ||
      FileNameOf(tile) != name) {
    return std::nullopt;
  }
  const bool possible =
      wire::CheckTileKey(tile.key, wire::WidestShapeOf(tile.key), wire::kMaxLevels).ok() &&
      tile.facts.min_height <= tile.facts.max_height;
  return possible ? std::optional(tile) : std::nullopt;
}

std::string FileOf(const v1::Tile& message) {
  const std::string body = message.SerializeAsString();
  const Header header = HeaderOf(body);
  return absl::StrCat(absl::string_view(reinterpret_cast<const char*>(&header), sizeof header),
                      body);
}

absl::StatusOr<v1::Tile> FromFile(std::string_view bytes, const FiledTile& tile) {
  Header header;
  if (bytes.size() < sizeof header) return absl::DataLossError("no header");
  if (bytes.size() > kMaxFileBytes) {
    return absl::DataLossError(absl::StrCat("the file is larger than ", kMaxFileBytes, " bytes"));
  }
  std::memcpy(&header, bytes.data(), sizeof header);
  const std::string_view body = bytes.substr(sizeof header);
  const Header sound = HeaderOf(body);
  if (std::memcmp(header.magic, sound.magic, sizeof sound.magic) != 0) {
    return absl::DataLossError("not the file of a tile");
  }
  if (header.bytes != sound.bytes) return absl::DataLossError("fewer bytes than its header says");
  if (header.checksum != sound.checksum)
    return absl::DataLossError("its checksum differs from its header's");
  v1::Tile message;
  if (!message.ParseFromArray(body.data(), static_cast<int>(body.size())) ||
      !Same(FiledAs(message), tile)) {
    return absl::DataLossError("the file of another tile");
  }
  return message;
}

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

DiskThread::DiskThread(std::unique_ptr<TileFolder> folder, OnRead on_read, OnWritten on_written)
    : folder_(std::move(folder)),
      on_read_(std::move(on_read)),
      on_written_(std::move(on_written)),
      thread_([this] { Loop(); }) {}

DiskThread::~DiskThread() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void DiskThread::Read(std::string world, const FiledTile& tile) {
  const std::lock_guard lock(mutex_);
  reads_.push_back({std::move(world), tile});
  changed_.notify_all();
}

void DiskThread::Write(std::string world, const FiledTile& tile, v1::Tile message) {
  const std::lock_guard lock(mutex_);
  const std::size_t bytes = message.ByteSizeLong();
  if (writes_.size() >= kMaxWrites || waiting_bytes_ + bytes > kMaxWriteBytes) return;
  waiting_bytes_ += bytes;
  writes_.push_back({std::move(world), tile, std::move(message)});
  changed_.notify_all();
}

void DiskThread::Loop() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return stopping_ || !reads_.empty() || !writes_.empty(); });
    if (stopping_ && writes_.empty()) return;
    if (!stopping_ && !reads_.empty()) {
      const ReadJob job = std::move(reads_.front());
      reads_.pop_front();
      lock.unlock();
      on_read_(job.tile, folder_->Read(job.world, job.tile));
    } else {
      const WriteJob job = std::move(writes_.front());
      writes_.pop_front();
      waiting_bytes_ -= job.message.ByteSizeLong();
      lock.unlock();
      on_written_(job.tile, folder_->Write(job.world, job.tile, job.message));
    }
    lock.lock();
  }
}

}  // namespace thalweg
