#include "client/tools/raster/tile_archive.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>
#include <xxhash.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <map>
#include <span>

#include "absl/strings/str_cat.h"
#include "proto/base/temporary.h"
#include "proto/base/whole_file.h"
#include "proto/wire/status_macros.h"

namespace thalweg::raster_file {
namespace {

// The tables of MBTiles 1.3, and the number that distinguishes its files from other SQLite
// databases ("MPBX"). No journal is needed, because an unfinished file is deleted.
constexpr char kSchema[] = R"(
PRAGMA application_id = 0x4d504258;
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
BEGIN;
CREATE TABLE metadata (name TEXT, value TEXT);
CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
)";
constexpr char kEnd[] = R"(
CREATE UNIQUE INDEX name ON metadata (name);
CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row);
COMMIT;
)";

class Mbtiles : public TileArchive {
 public:
  explicit Mbtiles(const std::string& path) : path_(path) {}

  ~Mbtiles() override { Close(); }
  Mbtiles(const Mbtiles&) = delete;
  Mbtiles& operator=(const Mbtiles&) = delete;

  absl::Status Open(const std::vector<std::pair<std::string, std::string>>& metadata) {
    THALWEG_ASSIGN_OR_RETURN(folder_, files::TemporaryFolder::Create(path_));
    unfinished_ = folder_->Path("whole.mbtiles");
    if (sqlite3_open(unfinished_.c_str(), &database_) != SQLITE_OK) return Failed("create");
    THALWEG_RETURN_IF_ERROR(Execute(kSchema));
    THALWEG_RETURN_IF_ERROR(Prepare("INSERT INTO metadata VALUES (?, ?)"));
    for (const auto& [name, value] : metadata) {
      sqlite3_bind_text(insert_, 1, name.c_str(), -1, SQLITE_STATIC);
      sqlite3_bind_text(insert_, 2, value.c_str(), -1, SQLITE_STATIC);
      THALWEG_RETURN_IF_ERROR(Insert());
    }
    return Prepare("INSERT INTO tiles VALUES (?, ?, ?, ?)");
  }

  absl::Status Add(const ArchivedTile& tile, const std::string& picture) override {
    // The format counts rows from the south, like TMS.
    const std::int64_t row = (std::int64_t{1} << tile.zoom) - 1 - tile.row;
    sqlite3_bind_int(insert_, 1, tile.zoom);
    sqlite3_bind_int64(insert_, 2, tile.column);
    sqlite3_bind_int64(insert_, 3, row);
    sqlite3_bind_blob64(insert_, 4, picture.data(), picture.size(), SQLITE_STATIC);
    return Insert();
  }

  absl::Status Finish() override {
    THALWEG_RETURN_IF_ERROR(Execute(kEnd));
    if (!Close()) return Failed("close");
    THALWEG_RETURN_IF_ERROR(files::Sync(unfinished_, path_));
    return files::NameFinished(unfinished_, path_);
  }

 private:
  absl::Status Failed(const char* operation) const {
    const int code = sqlite3_errcode(database_);
    const std::string text = absl::StrCat(operation, " '", path_, "': ", sqlite3_errmsg(database_));
    return code == SQLITE_FULL ? absl::ResourceExhaustedError(text) : absl::UnknownError(text);
  }

  absl::Status Execute(const char* statements) {
    const bool done = sqlite3_exec(database_, statements, nullptr, nullptr, nullptr) == SQLITE_OK;
    return done ? absl::OkStatus() : Failed("write");
  }

  absl::Status Prepare(const char* statement) {
    sqlite3_finalize(insert_);
    insert_ = nullptr;
    const int code = sqlite3_prepare_v2(database_, statement, -1, &insert_, nullptr);
    return code == SQLITE_OK ? absl::OkStatus() : Failed("write");
  }

  absl::Status Insert() {
    const bool done = sqlite3_step(insert_) == SQLITE_DONE;
    absl::Status status = done ? absl::OkStatus() : Failed("write");
    sqlite3_reset(insert_);
    return status;
  }

  bool Close() {
    sqlite3_finalize(insert_);
    insert_ = nullptr;
    if (sqlite3_close(database_) != SQLITE_OK) return false;
    database_ = nullptr;
    return true;
  }

  std::string path_;
  std::unique_ptr<files::TemporaryFolder> folder_;
  std::string unfinished_;
  sqlite3* database_ = nullptr;
  sqlite3_stmt* insert_ = nullptr;
};

// PMTiles 3 (github.com/protomaps/PMTiles, spec/v3/spec.md): a header of 127 bytes, directories
// compressed with gzip, the metadata, and the tiles.
constexpr std::size_t kHeaderBytes = 127;
// Header and root directory fit into the first request that readers make.
constexpr std::size_t kMaxRootBytes = 16'384 - kHeaderBytes;
constexpr std::size_t kEntriesPerLeaf = 4'096;
constexpr std::uint8_t kGzip = 2;
constexpr std::uint8_t kUncompressed = 1;
constexpr std::uint8_t kPng = 2;

// One tile, or a run of equal ones; of the root also a leaf, whose run is 0.
struct Entry {
  std::uint64_t id = 0;
  std::uint64_t offset = 0;
  std::uint32_t length = 0;
  std::uint32_t run = 1;
};

// A tile's number: its zoom's tiles follow those of all coarser zooms, along a Hilbert curve.
std::uint64_t IdOf(const ArchivedTile& tile) {
  std::uint64_t id = 0;
  for (int zoom = 0; zoom < tile.zoom; ++zoom) id += std::uint64_t{1} << (2 * zoom);
  auto x = static_cast<std::uint64_t>(tile.column);
  auto y = static_cast<std::uint64_t>(tile.row);
  for (std::uint64_t side = tile.zoom > 0 ? std::uint64_t{1} << (tile.zoom - 1) : 0; side > 0;
       side /= 2) {
    const std::uint64_t right = (x & side) != 0 ? 1 : 0;
    const std::uint64_t below = (y & side) != 0 ? 1 : 0;
    id += side * side * ((3 * right) ^ below);
    if (below == 0) {
      if (right == 1) {
        x = side - 1 - (x & (side - 1));
        y = side - 1 - (y & (side - 1));
      }
      std::swap(x, y);
    }
  }
  return id;
}

void AppendVarint(std::uint64_t value, std::string& bytes) {
  for (; value >= 0x80; value >>= 7) bytes.push_back(static_cast<char>((value & 0x7f) | 0x80));
  bytes.push_back(static_cast<char>(value));
}

std::string DirectoryOf(std::span<const Entry> entries) {
  std::string bytes;
  AppendVarint(entries.size(), bytes);
  std::uint64_t last = 0;
  for (const Entry& entry : entries) AppendVarint(entry.id - std::exchange(last, entry.id), bytes);
  for (const Entry& entry : entries) AppendVarint(entry.run, bytes);
  for (const Entry& entry : entries) AppendVarint(entry.length, bytes);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const bool follows =
        i > 0 && entries[i].offset == entries[i - 1].offset + entries[i - 1].length;
    AppendVarint(follows ? 0 : entries[i].offset + 1, bytes);
  }
  return bytes;
}

absl::StatusOr<std::string> Gzipped(const std::string& bytes) {
  constexpr int kWindowBitsOfGzip = 15 + 16;
  constexpr int kMemory = 8;
  z_stream stream{};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kWindowBitsOfGzip, kMemory,
                   Z_DEFAULT_STRATEGY) != Z_OK) {
    return absl::InternalError("compress a directory: zlib failed");
  }
  std::string gzipped(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(gzipped.data());
  stream.avail_out = static_cast<uInt>(gzipped.size());
  const bool done = deflate(&stream, Z_FINISH) == Z_STREAM_END;
  gzipped.resize(stream.total_out);
  deflateEnd(&stream);
  if (!done) return absl::InternalError("compress a directory: zlib failed");
  return gzipped;
}

template <typename Number>
void Put(Number value, std::size_t at, std::string& header) {
  std::memcpy(header.data() + at, &value, sizeof(value));
}

class Pmtiles : public TileArchive {
 public:
  Pmtiles(std::string path, ArchiveMetadata metadata, std::string json)
      : path_(std::move(path)), metadata_(std::move(metadata)), json_(std::move(json)) {}

  absl::Status Open() {
    THALWEG_ASSIGN_OR_RETURN(tiles_, files::TemporaryFile::Create(path_, {.access = O_RDWR}));
    return absl::OkStatus();
  }

  // Equal tiles, as those of a sea, are written once.
  absl::Status Add(const ArchivedTile& tile, const std::string& picture) override {
    const XXH128_hash_t hash = XXH3_128bits(picture.data(), picture.size());
    const auto [found, is_new] =
        offsets_.try_emplace({hash.high64, hash.low64, picture.size()}, bytes_);
    entries_.push_back({IdOf(tile), found->second, static_cast<std::uint32_t>(picture.size())});
    if (!is_new) return absl::OkStatus();
    bytes_ += picture.size();
    return files::WriteAll(tiles_->number(), path_, picture);
  }

  absl::Status Finish() override {
    std::ranges::sort(entries_, {}, &Entry::id);
    const std::size_t addressed = entries_.size();
    JoinRuns();
    THALWEG_ASSIGN_OR_RETURN(const std::string metadata, Gzipped(json_));
    THALWEG_ASSIGN_OR_RETURN(const auto directories, Directories());
    const auto& [root, leaves] = directories;
    const std::string head =
        HeaderOf(root.size(), metadata.size(), leaves.size(), addressed) + root + metadata + leaves;
    return WriteFile(head);
  }

 private:
  void JoinRuns() {
    std::vector<Entry> joined;
    for (const Entry& entry : entries_) {
      if (!joined.empty() && joined.back().id + joined.back().run == entry.id &&
          joined.back().offset == entry.offset) {
        ++joined.back().run;
      } else {
        joined.push_back(entry);
      }
    }
    entries_ = std::move(joined);
  }

  // The root directory, and the leaves that it refers to, if it would be too large itself.
  absl::StatusOr<std::pair<std::string, std::string>> Directories() const {
    THALWEG_ASSIGN_OR_RETURN(std::string root, Gzipped(DirectoryOf(entries_)));
    if (root.size() <= kMaxRootBytes) return std::pair(std::move(root), std::string());
    for (std::size_t per_leaf = kEntriesPerLeaf;; per_leaf *= 2) {
      std::string leaves;
      std::vector<Entry> of_root;
      for (std::size_t first = 0; first < entries_.size(); first += per_leaf) {
        const std::span<const Entry> leaf =
            std::span(entries_).subspan(first, std::min(per_leaf, entries_.size() - first));
        THALWEG_ASSIGN_OR_RETURN(const std::string bytes, Gzipped(DirectoryOf(leaf)));
        of_root.push_back(
            {leaf.front().id, leaves.size(), static_cast<std::uint32_t>(bytes.size()), 0});
        leaves += bytes;
      }
      THALWEG_ASSIGN_OR_RETURN(root, Gzipped(DirectoryOf(of_root)));
      if (root.size() <= kMaxRootBytes) return std::pair(std::move(root), std::move(leaves));
    }
  }

  std::string HeaderOf(std::uint64_t root, std::uint64_t metadata, std::uint64_t leaves,
                       std::uint64_t addressed) const {
    std::string header(kHeaderBytes, '\0');
    header.replace(0, 7, "PMTiles");
    header[7] = 3;
    std::uint64_t at = kHeaderBytes;
    std::size_t field = 8;
    for (const std::uint64_t length : {root, metadata, leaves, bytes_}) {
      Put(at, field, header);
      Put(length, field + 8, header);
      at += length;
      field += 16;
    }
    Put(addressed, 72, header);
    Put(std::uint64_t{entries_.size()}, 80, header);
    Put(std::uint64_t{offsets_.size()}, 88, header);
    // Byte 96 stays 0: tiles lie in the order in which they came.
    header[97] = static_cast<char>(kGzip);
    header[98] = static_cast<char>(kUncompressed);
    header[99] = static_cast<char>(kPng);
    header[100] = static_cast<char>(metadata_.min_zoom);
    header[101] = static_cast<char>(metadata_.max_zoom);
    std::size_t place = 102;
    for (const double degrees : metadata_.bounds) {
      Put(static_cast<std::int32_t>(std::lround(degrees * 1e7)), place, header);
      place += 4;
    }
    header[118] = static_cast<char>(metadata_.max_zoom);
    for (const int axis : {0, 1}) {
      const auto i = static_cast<std::size_t>(axis);
      const double middle = (metadata_.bounds[i] + metadata_.bounds[i + 2]) / 2;
      Put(static_cast<std::int32_t>(std::lround(middle * 1e7)), 119 + 4 * i, header);
    }
    return header;
  }

  // Writes the file's beginning, and the tiles after it.
  absl::Status WriteFile(const std::string& head) const {
    THALWEG_ASSIGN_OR_RETURN(const auto file, files::TemporaryFile::Create(path_));
    THALWEG_RETURN_IF_ERROR(files::WriteAll(file->number(), path_, head));
    std::string part(std::size_t{1} << 20, '\0');
    for (std::uint64_t at = 0; at < bytes_;) {
      const ssize_t got = pread(tiles_->number(), part.data(), part.size(), static_cast<off_t>(at));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return files::SystemError("read", path_, got < 0 ? errno : EIO);
      THALWEG_RETURN_IF_ERROR(files::WriteAll(
          file->number(), path_, std::string_view(part).substr(0, static_cast<std::size_t>(got))));
      at += static_cast<std::uint64_t>(got);
    }
    return file->Finish();
  }

  const std::string path_;
  const ArchiveMetadata metadata_;
  const std::string json_;
  // The tiles wait there until the directories are known.
  std::unique_ptr<files::TemporaryFile> tiles_;
  std::uint64_t bytes_ = 0;
  std::vector<Entry> entries_;
  // Where a tile lies, by the hash and the size of its picture.
  std::map<std::array<std::uint64_t, 3>, std::uint64_t> offsets_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<TileArchive>> OpenMbtiles(
    const std::string& path, const std::vector<std::pair<std::string, std::string>>& metadata) {
  auto archive = std::make_unique<Mbtiles>(path);
  THALWEG_RETURN_IF_ERROR(archive->Open(metadata));
  return archive;
}

absl::StatusOr<std::unique_ptr<TileArchive>> OpenPmtiles(const std::string& path,
                                                         const ArchiveMetadata& metadata,
                                                         const std::string& json) {
  auto archive = std::make_unique<Pmtiles>(path, metadata, json);
  THALWEG_RETURN_IF_ERROR(archive->Open());
  return archive;
}

}  // namespace thalweg::raster_file
