#include "server/cache/disk/disk_cache.h"

#include <sys/statvfs.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "proto/wire/status_macros.h"
#include "rocksdb/db.h"
#include "rocksdb/env.h"
#include "server/cache/disk/database_files.h"
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

// Errors that an operator does not cause by a wrong setting: the disk is full or fails.
bool IsOfTheDisk(const std::error_code& error) {
  return error == std::errc::no_space_on_device || error == std::errc::io_error ||
         error == std::errc::read_only_file_system || error.value() == EDQUOT;
}

// Whether a folder's disk has room for what the database may write before the next look. A quota is
// not seen; there RocksDB's own error is the first to tell.
absl::Status CheckRoom(const std::string& folder, std::size_t budget_bytes) {
  struct statvfs facts {};
  if (statvfs(folder.c_str(), &facts) != 0) {
    return absl::UnavailableError(std::generic_category().message(errno));
  }
  const std::uint64_t free_bytes = std::uint64_t{facts.f_bavail} * facts.f_frsize;
  const std::size_t expected = OverheadBytes(budget_bytes);
  if (free_bytes >= expected) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat("No space left on device: expected ", expected >> 20,
                                             " MiB of free space, got ", free_bytes >> 20, " MiB"));
}

// Does something while neither another server nor this one has the database open.
rocksdb::Status WhileLocked(const std::string& folder, absl::FunctionRef<void()> work) {
  rocksdb::Env* const env = rocksdb::Env::Default();
  rocksdb::FileLock* lock = nullptr;
  rocksdb::Status locked = env->LockFile((std::filesystem::path(folder) / "LOCK").string(), &lock);
  if (!locked.ok()) return locked;
  work();
  return env->UnlockFile(lock);
}

std::string_view View(const rocksdb::Slice& slice) { return {slice.data(), slice.size()}; }

}  // namespace

DiskCache::DiskCache(const DiskCacheOptions& options)
    : options_(options),
      name_(absl::StrCat("disk cache '", options.folder, "'")),
      database_folder_((std::filesystem::path(options.folder) / "tiles").string()),
      key_path_((std::filesystem::path(options.folder) / "key").string()) {}

std::size_t DiskCache::MaxOpenFiles(std::size_t budget_bytes) { return OpenFiles(budget_bytes); }

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
  const std::lock_guard save_lock(cache->save_mutex_);
  const absl::Status opened = cache->OpenToSave();
  if (absl::IsUnavailable(opened)) {
    cache->OpenToRead();
    cache->Failed(opened);
  } else if (!opened.ok()) {
    return absl::Status(opened.code(), absl::StrCat("open ", cache->name_, ": ", opened.message()));
  }
  cache->NoteSize();
  return cache;
}

absl::Status DiskCache::OpenToSave() {
  std::error_code error;
  std::filesystem::create_directories(database_folder_, error);
  if (error) {
    return IsOfTheDisk(error) ? absl::UnavailableError(error.message())
                              : absl::PermissionDeniedError(error.message());
  }
  THALWEG_RETURN_IF_ERROR(CheckRoom(database_folder_, options_.budget_bytes));
  THALWEG_RETURN_IF_ERROR(OpenDatabase());
  is_read_only_ = false;
  absl::Status key = OpenKey();
  if (!key.ok()) CloseDatabase();
  return key;
}

absl::Status DiskCache::OpenDatabase() {
  const rocksdb::Options options = DatabaseOptions(options_.budget_bytes);
  rocksdb::DB* database = nullptr;
  std::string damage;
  // It is a cache, so the tiles that are lost are made again.
  rocksdb::Status opened = WhileLocked(database_folder_, [&] {
    const absl::Status checked = CheckDatabaseFiles(database_folder_);
    if (checked.ok()) return;
    damage = std::string(checked.message());
    RemoveDatabaseFiles(database_folder_);
  });
  if (opened.ok()) opened = rocksdb::DB::Open(options, database_folder_, &database);
  if (IsDamage(opened)) {
    damage = Reason(opened);
    opened = WhileLocked(database_folder_, [&] { RemoveDatabaseFiles(database_folder_); });
    if (opened.ok()) opened = rocksdb::DB::Open(options, database_folder_, &database);
  }
  if (opened.ok()) {
    database_.reset(database);
    if (damage.empty()) return absl::OkStatus();
    ++began_anew_;
    TellLoss(damage);
    return absl::OkStatus();
  }
  if (IsLocked(opened)) {
    return absl::FailedPreconditionError(
        "another server is using it; give each server a folder of its own");
  }
  return absl::UnavailableError(Reason(opened));
}

absl::Status DiskCache::OpenKey() {
  absl::StatusOr<MacKeys> keys = ReadKeyFile(key_path_);
  const bool damaged = absl::IsInvalidArgument(keys.status());
  const bool made_anew = damaged || absl::IsNotFound(keys.status());
  const std::string found(keys.status().message());
  if (made_anew) {
    // Records that the lost key signed are dropped one by one, and their tiles made again.
    const absl::Status made = MakeKeyFile(key_path_);
    if (!made.ok()) return absl::UnavailableError(made.message());
    keys = ReadKeyFile(key_path_);
  }
  if (!keys.ok()) return keys.status();
  if (damaged) ++began_anew_;
  if (made_anew && (damaged || HasTiles())) TellLoss(found);
  keys_ = *keys;
  return absl::OkStatus();
}

void DiskCache::OpenToRead() {
  const absl::StatusOr<MacKeys> keys = ReadKeyFile(key_path_);
  if (!keys.ok()) return;  // no record could be verified
  if (!CheckDatabaseFiles(database_folder_).ok()) return;
  const rocksdb::Options options = DatabaseOptions(options_.budget_bytes);
  rocksdb::DB* database = nullptr;
  if (!rocksdb::DB::OpenForReadOnly(options, database_folder_, &database).ok()) return;
  database_.reset(database);
  is_read_only_ = true;
  keys_ = *keys;
}

void DiskCache::CloseDatabase() {
  if (database_ != nullptr) database_->Close().PermitUncheckedError();
  database_.reset();
}

bool DiskCache::HasTiles() const {
  std::uint64_t keys = 0;
  database_->GetIntProperty(rocksdb::DB::Properties::kEstimateNumKeys, &keys);
  return keys > 0;
}

void DiskCache::TellLoss(const std::string& found) const {
  if (options_.on_loss) options_.on_loss(found);
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
  const absl::Status ready = Prepare();
  if (!ready.ok()) return Failed(ready);
  rocksdb::Status status;
  {
    const std::shared_lock lock(database_mutex_);
    status =
        database_->Put(rocksdb::WriteOptions(), RecordKey(id), EncodeRecord(keys_, id, *bytes));
  }
  if (!status.ok()) {
    GiveUpSaving();
    return Failed(absl::UnavailableError(Reason(status)));
  }
  saving_failed_ = false;
  NoteSize();
  const std::lock_guard health_lock(health_mutex_);
  save_health_ = absl::OkStatus();
  return SaveOutcome::kSaved;
}

absl::Status DiskCache::Prepare() {
  {
    const std::shared_lock lock(database_mutex_);
    if (database_ != nullptr && !is_read_only_) {
      absl::Status room = CheckRoom(database_folder_, options_.budget_bytes);
      std::error_code error;
      if (room.ok() || std::filesystem::exists(database_folder_, error) || error) return room;
      TellLoss(absl::StrCat("folder '", database_folder_, "' was removed"));
    }
  }
  const std::unique_lock lock(database_mutex_);
  CloseDatabase();
  absl::Status opened = OpenToSave();
  if (!opened.ok()) OpenToRead();
  return opened;
}

SaveOutcome DiskCache::Failed(const absl::Status& reason) {
  saving_failed_ = true;
  retry_at_ = Clock::now() + options_.retry_after;
  const std::lock_guard lock(health_mutex_);
  save_health_ = absl::UnavailableError(absl::StrCat("save in ", name_, ": ", reason.message()));
  return SaveOutcome::kError;
}

void DiskCache::GiveUpSaving() {
  const std::unique_lock lock(database_mutex_);
  CloseDatabase();
  OpenToRead();
}

void DiskCache::NoteSize() {
  const std::shared_lock lock(database_mutex_);
  if (database_ == nullptr) return;
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
