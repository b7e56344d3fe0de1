#include "client/src/tile_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "client/src/keys.h"
#include "proto/wire/status_macros.h"

namespace thalweg {
namespace {

namespace fs = std::filesystem;

constexpr char kSuffix[] = ".tile";
constexpr char kTemporary[] = ".writing";
// What a killed program was writing so long ago is nobody's.
constexpr auto kStale = std::chrono::hours(1);

// Before the message, little-endian.
struct Header {
  char magic[8] = {'t', 'h', 'a', 'l', 't', 'i', 'l', '1'};
  std::uint64_t bytes = 0;
  std::uint64_t checksum = 0;
};
static_assert(sizeof(Header) == 24);

absl::Status Failed(const char* operation, const fs::path& path, const std::string& why) {
  return absl::UnknownError(absl::StrCat(operation, " ", path.string(), ": ", why));
}

// The whole file; NOT_FOUND if there is none.
absl::StatusOr<std::string> ReadAll(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return absl::NotFoundError(absl::StrCat("read ", path.string(), ": not there"));
  std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  return bytes;
}

absl::Status WriteAll(const fs::path& path, const Header& header, const std::string& body) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(reinterpret_cast<const char*>(&header), sizeof header);
  file.write(body.data(), static_cast<std::streamsize>(body.size()));
  file.close();
  if (!file) return Failed("write", path, std::strerror(errno));
  return absl::OkStatus();
}

std::uint64_t Checksum(absl::string_view body) { return XXH3_64bits(body.data(), body.size()); }

// The message of a file's bytes, if they are what was written for the tile.
absl::StatusOr<v1::Tile> Decode(const std::string& bytes, const FiledTile& tile) {
  Header header;
  const Header sound;
  if (bytes.size() < sizeof header) return absl::DataLossError("cut off");
  std::memcpy(&header, bytes.data(), sizeof header);
  const absl::string_view body = absl::string_view(bytes).substr(sizeof header);
  if (std::memcmp(header.magic, sound.magic, sizeof sound.magic) != 0) {
    return absl::DataLossError("not a tile's file");
  }
  if (header.bytes != body.size()) return absl::DataLossError("cut off");
  if (header.checksum != Checksum(body)) return absl::DataLossError("wrong checksum");
  v1::Tile message;
  if (!message.ParseFromArray(body.data(), static_cast<int>(body.size())) ||
      ToWire(message.key()) != tile.key || message.tag() != tile.tag) {
    return absl::DataLossError("another tile's");
  }
  return message;
}

}  // namespace

std::string FileNameOf(const FiledTile& tile) {
  return absl::StrFormat("%d_%d_%d_%016x_%u_%d_%d%s", tile.key.level, tile.key.x, tile.key.y,
                         tile.tag, tile.facts.geometric_error, tile.facts.min_height,
                         tile.facts.max_height, kSuffix);
}

std::optional<FiledTile> FromFileName(const std::string& name) {
  FiledTile tile;
  if (std::sscanf(name.c_str(), "%d_%" SCNd64 "_%" SCNd64 "_%" SCNx64 "_%u_%d_%d", &tile.key.level,
                  &tile.key.x, &tile.key.y, &tile.tag, &tile.facts.geometric_error,
                  &tile.facts.min_height, &tile.facts.max_height) != 7 ||
      FileNameOf(tile) != name) {
    return std::nullopt;
  }
  return tile;
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
  absl::StatusOr<v1::Tile> message = bytes.ok() ? Decode(*bytes, tile) : bytes.status();
  const std::lock_guard lock(mutex_);
  if (!message.ok()) {
    Remove(path);
    if (!absl::IsDataLoss(message.status())) return message.status();
    return absl::DataLossError(
        absl::StrCat("read ", path.string(), ": ", message.status().message()));
  }
  const auto place = places_.find(path.string());
  if (place != places_.end()) files_.splice(files_.begin(), files_, place->second);
  // The order outlives the program as the files' times.
  utimensat(AT_FDCWD, path.c_str(), nullptr, 0);
  return message;
}

absl::Status TileFolder::Write(const std::string& world, const FiledTile& tile,
                               const v1::Tile& message) {
  const fs::path path = PathOf(world, tile);
  fs::path temporary;
  {
    const std::lock_guard lock(mutex_);
    if (places_.contains(path.string())) return absl::OkStatus();
    temporary = path.parent_path() / absl::StrCat(getpid(), "-", ++temporaries_, kTemporary);
  }
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  if (error) return Failed("make the cache folder", path.parent_path(), error.message());
  const std::string body = message.SerializeAsString();
  Header header;
  header.bytes = body.size();
  header.checksum = Checksum(body);
  absl::Status written = WriteAll(temporary, header, body);
  if (written.ok()) {
    fs::rename(temporary, path, error);
    if (error) written = Failed("write", path, error.message());
  }
  if (!written.ok()) {
    fs::remove(temporary, error);
    return written;
  }
  const std::lock_guard lock(mutex_);
  Add(path, sizeof header + body.size());
  Shrink();
  return absl::OkStatus();
}

bool TileFolder::Contains(const std::string& world, const FiledTile& tile) const {
  const std::lock_guard lock(mutex_);
  return places_.contains(PathOf(world, tile).string());
}

std::uint64_t TileFolder::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

fs::path TileFolder::PathOf(const std::string& world, const FiledTile& tile) const {
  return folder_ / world / FileNameOf(tile);
}

void TileFolder::Add(const fs::path& path, std::uint64_t bytes) {
  if (places_.contains(path.string())) return;
  files_.push_front({path, bytes});
  places_[path.string()] = files_.begin();
  bytes_ += bytes;
}

void TileFolder::Remove(const fs::path& path) {
  std::error_code gone;
  fs::remove(path, gone);
  const auto place = places_.find(path.string());
  if (place == places_.end()) return;
  bytes_ -= place->second->bytes;
  files_.erase(place->second);
  places_.erase(place);
}

void TileFolder::Shrink() {
  while (bytes_ > max_bytes_ && !files_.empty()) {
    // By value: the entry goes with its file.
    const fs::path last = files_.back().path;
    Remove(last);
  }
}

}  // namespace thalweg
