#include <sqlite3.h>

#include <memory>

#include "absl/strings/str_cat.h"
#include "client/raster/tile_archive.h"
#include "proto/files/temporary.h"
#include "proto/files/whole_file.h"
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

}  // namespace

absl::StatusOr<std::unique_ptr<TileArchive>> OpenMbtiles(
    const std::string& path, const std::vector<std::pair<std::string, std::string>>& metadata) {
  auto archive = std::make_unique<Mbtiles>(path);
  THALWEG_RETURN_IF_ERROR(archive->Open(metadata));
  return archive;
}

}  // namespace thalweg::raster_file
