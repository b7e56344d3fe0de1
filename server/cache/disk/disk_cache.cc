#include "server/cache/disk/disk_cache.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/wire/status_macros.h"
#include "rocksdb/db.h"
#include "server/cache/disk/database_options.h"
#include "server/cache/key_file.h"
#include "server/cache/tile_record.h"

namespace thalweg::cache {
namespace {

// RocksDB's message, in one line.
std::string Reason(const rocksdb::Status& status) {
  std::string reason = status.ToString();
  std::replace(reason.begin(), reason.end(), '\n', ' ');
  return reason;
}

bool IsLocked(const rocksdb::Status& status) {
  const std::string reason = status.ToString();
  return status.IsIOError() && (reason.find("While lock file") != std::string::npos ||
                                reason.find("lock hold by current process") != std::string::npos);
}

// Errors that neither a retry nor another disk would cure.
bool IsDamage(const rocksdb::Status& status) {
  return status.IsCorruption() || status.IsNotSupported() || status.IsPathNotFound() ||
         status.IsNotFound();
}

std::string_view View(const rocksdb::Slice& slice) { return {slice.data(), slice.size()}; }

}  // namespace

DiskCache::DiskCache(const DiskCacheOptions& options)
    : options_(options),
      name_(absl::StrCat("disk cache '", options.folder, "'")),
      database_folder_((std::filesystem::path(options.folder) / "tiles").string()) {}

DiskCache::~DiskCache() {
  const std::unique_lock lock(database_mutex_);
  CloseDatabase();
}

absl::StatusOr<std::unique_ptr<DiskCache>> DiskCache::Open(const DiskCacheOptions& options) {
  std::unique_ptr<DiskCache> cache(new DiskCache(options));
  if (options.budget_bytes < kMinDiskCacheBytes) {
    return absl::InvalidArgumentError(absl::StrCat("open ", cache->name_, ": expected min ",
                                                   kMinDiskCacheBytes, " bytes, got ",
                                                   options.budget_bytes));
  }
  std::error_code error;
  std::filesystem::create_directories(cache->database_folder_, error);
  if (error) {
    return absl::PermissionDeniedError(absl::StrCat("open ", cache->name_, ": ", error.message()));
  }
  THALWEG_RETURN_IF_ERROR(cache->OpenDatabase());
  THALWEG_RETURN_IF_ERROR(cache->OpenKey());
  cache->NoteSize();
  return cache;
}

absl::Status DiskCache::OpenDatabase() {
  const rocksdb::Options options = DatabaseOptions(options_.budget_bytes);
  rocksdb::DB* database = nullptr;
  rocksdb::Status opened = rocksdb::DB::Open(options, database_folder_, &database);
  if (IsDamage(opened)) {
    // It is a cache, so the tiles that are lost are made again.
    rocksdb::DestroyDB(database_folder_, options).PermitUncheckedError();
    opened = rocksdb::DB::Open(options, database_folder_, &database);
    if (opened.ok()) ++began_anew_;
  }
  if (opened.ok()) {
    database_.reset(database);
    return absl::OkStatus();
  }
  if (IsLocked(opened)) {
    return absl::FailedPreconditionError(absl::StrCat(
        "open ", name_, ": another server uses it; give each server a folder of its own"));
  }
  return absl::UnavailableError(absl::StrCat("open ", name_, ": ", Reason(opened)));
}

absl::Status DiskCache::OpenKey() {
  const std::string path = (std::filesystem::path(options_.folder) / "key").string();
  absl::StatusOr<MacKeys> keys = ReadKeyFile(path);
  const bool damaged = absl::IsInvalidArgument(keys.status());
  if (damaged || absl::IsNotFound(keys.status())) {
    // Records that the lost key signed are dropped one by one, and their tiles made again.
    THALWEG_RETURN_IF_ERROR(MakeKeyFile(path));
    keys = ReadKeyFile(path);
  }
  if (!keys.ok()) {
    return absl::Status(keys.status().code(),
                        absl::StrCat("open ", name_, ": ", keys.status().message()));
  }
  if (damaged) ++began_anew_;
  keys_ = *keys;
  return absl::OkStatus();
}

void DiskCache::OpenToRead() {
  const rocksdb::Options options = DatabaseOptions(options_.budget_bytes);
  rocksdb::DB* database = nullptr;
  if (rocksdb::DB::OpenForReadOnly(options, database_folder_, &database).ok()) {
    database_.reset(database);
  }
}

void DiskCache::CloseDatabase() {
  if (database_ != nullptr) database_->Close().PermitUncheckedError();
  database_.reset();
}

LoadResult DiskCache::Load(const TileId& id) {
  const std::string key = RecordKey(id);
  const std::shared_lock lock(database_mutex_);
  if (database_ == nullptr) return {LoadOutcome::kSkipped, nullptr};
  rocksdb::PinnableSlice record;
  const rocksdb::Status status =
      database_->Get(rocksdb::ReadOptions(), database_->DefaultColumnFamily(), key, &record);
  absl::Status health;
  LoadResult result;
  if (status.ok()) {
    if (absl::StatusOr<TileBytes> bytes = DecodeRecord(keys_, id, View(record)); bytes.ok()) {
      result = {LoadOutcome::kHit, *std::move(bytes)};
    } else {
      result.outcome = LoadOutcome::kBadRecord;
    }
  } else if (status.IsCorruption()) {
    result.outcome = LoadOutcome::kBadRecord;
  } else if (!status.IsNotFound()) {
    result.outcome = LoadOutcome::kError;
    health = absl::UnavailableError(absl::StrCat("load from ", name_, ": ", Reason(status)));
  }
  if (result.outcome == LoadOutcome::kBadRecord) {
    // Hides the record in every file. If this fails, the next save of the tile hides it.
    database_->Delete(rocksdb::WriteOptions(), key).PermitUncheckedError();
  }
  const std::lock_guard health_lock(health_mutex_);
  load_health_ = health;
  return result;
}

SaveOutcome DiskCache::Save(const TileId& id, const TileBytes& bytes) {
  // The budget must hold some dozens of tiles, else even new tiles would be dropped.
  if (bytes->size() > options_.budget_bytes / 32) return SaveOutcome::kTooLarge;
  const std::lock_guard save_lock(save_mutex_);
  if (saving_failed_ && Clock::now() < retry_at_) return SaveOutcome::kSkipped;
  if (saving_failed_ && !Recovered()) return SaveOutcome::kError;
  const std::string record = EncodeRecord(keys_, id, *bytes);
  rocksdb::Status status;
  {
    const std::shared_lock lock(database_mutex_);
    status = database_->Put(rocksdb::WriteOptions(), RecordKey(id), record);
  }
  if (!status.ok()) return Failed(status);
  saving_failed_ = false;
  NoteSize();
  const std::lock_guard health_lock(health_mutex_);
  save_health_ = absl::OkStatus();
  return SaveOutcome::kSaved;
}

SaveOutcome DiskCache::Failed(const rocksdb::Status& status) {
  saving_failed_ = true;
  retry_at_ = Clock::now() + options_.retry_after;
  {
    const std::unique_lock lock(database_mutex_);
    CloseDatabase();
    OpenToRead();
  }
  const std::lock_guard lock(health_mutex_);
  save_health_ = absl::UnavailableError(absl::StrCat("save in ", name_, ": ", Reason(status)));
  return SaveOutcome::kError;
}

bool DiskCache::Recovered() {
  retry_at_ = Clock::now() + options_.retry_after;
  const std::unique_lock lock(database_mutex_);
  CloseDatabase();
  if (OpenDatabase().ok()) return true;
  OpenToRead();
  return false;
}

void DiskCache::NoteSize() {
  const std::shared_lock lock(database_mutex_);
  std::uint64_t tables = 0;
  std::uint64_t buffers = 0;
  database_->GetIntProperty(rocksdb::DB::Properties::kTotalSstFilesSize, &tables);
  database_->GetIntProperty(rocksdb::DB::Properties::kCurSizeAllMemTables, &buffers);
  bytes_ = tables + buffers;
}

std::size_t DiskCache::memory_bytes() const {
  const std::shared_lock lock(database_mutex_);
  if (database_ == nullptr) return 0;
  std::uint64_t buffers = 0;
  std::uint64_t readers = 0;
  database_->GetIntProperty(rocksdb::DB::Properties::kSizeAllMemTables, &buffers);
  database_->GetIntProperty(rocksdb::DB::Properties::kEstimateTableReadersMem, &readers);
  return buffers + readers;
}

absl::Status DiskCache::health() const {
  const std::lock_guard lock(health_mutex_);
  return load_health_.ok() ? save_health_ : load_health_;
}

}  // namespace thalweg::cache
