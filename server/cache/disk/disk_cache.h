// Tiles in a folder of this machine, in RocksDB. The oldest tiles are dropped first.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/cache/tile_record.h"
#include "server/cache/tile_store.h"

namespace rocksdb {
class DB;
}  // namespace rocksdb

namespace thalweg::cache {

struct DiskCacheOptions {
  // Created if it does not exist. It has the database in the folder "tiles", and the key of the
  // records in the file "key".
  std::string folder;
  // Max bytes of the folder, at least kMinDiskCacheBytes.
  std::size_t budget_bytes = std::size_t{4} << 30;
  // How long after a failed save the disk is tried again.
  std::chrono::milliseconds retry_after{10'000};
  // Called with what was found when tiles are given up: the database or its key is damaged and
  // begins anew, the key is lost, or the folder was removed. At the start, and later if the
  // database has to be opened again. May be empty. Must not call the cache.
  std::function<void(const std::string& found)> on_loss = {};
};

inline constexpr std::size_t kMinDiskCacheBytes = std::size_t{64} << 20;

// Thread-safe. A folder can be used by one server at a time. Saved tiles survive the end of the
// process, however it ends; a crash of the machine may lose the last ones. While the disk is full
// or fails, saves stop and loads continue.
// So that errors of the database are rare, it writes only while the disk has room for what it may
// write before the next look: see OverheadBytes.
class DiskCache final : public TileStore {
 public:
  // Opens or creates the database and its key. Replaces a damaged one by an empty one, see
  // `began_anew`. If the disk is full or fails, the cache has what can be read, `health` tells why,
  // and saves are tried again. Fails only for what an operator has to mend: INVALID_ARGUMENT for a
  // budget that is too small, FAILED_PRECONDITION if another server uses the folder,
  // PERMISSION_DENIED for a folder that can't be made, or a key that others may read or write.
  static absl::StatusOr<std::unique_ptr<DiskCache>> Open(const DiskCacheOptions& options);
  ~DiskCache() override;

  DiskCache(const DiskCache&) = delete;
  DiskCache& operator=(const DiskCache&) = delete;

  const std::string& name() const override { return name_; }
  LoadResult Load(const TileId& id) override;
  SaveOutcome Save(const TileId& id, const TileBytes& bytes) override;
  std::size_t bytes() const override { return bytes_; }
  absl::Status health() const override;

  // The max number of files that a cache of this budget has open.
  static std::size_t MaxOpenFiles(std::size_t budget_bytes);

  // How often a damaged database, or one with a damaged key, was replaced by an empty one.
  std::uint64_t began_anew() const { return began_anew_; }
  // The bytes that RocksDB has allocated for buffers, indices and filters.
  std::size_t memory_bytes() const;

 private:
  using Clock = std::chrono::steady_clock;

  explicit DiskCache(const DiskCacheOptions& options);

  // These are called with the database's lock held exclusively, or before the cache is shared.
  // OpenToSave opens the database for saves and loads, with its key; OpenToRead only for loads. If
  // either fails, no database is open. The key is the later step: only one server can open the
  // database.
  absl::Status OpenToSave();
  void OpenToRead();
  absl::Status OpenDatabase();
  absl::Status OpenKey();
  void CloseDatabase();
  bool HasTiles() const;
  void TellLoss(const std::string& found) const;

  // These are called with the save lock held.
  // Whether the tile may be saved now: opens the database for saves if it is not, and asks for
  // room.
  absl::Status Prepare();
  SaveOutcome Failed(const absl::Status& reason);
  // Leaves the database open only for loads.
  void GiveUpSaving();
  void NoteSize();

  const DiskCacheOptions options_;
  const std::string name_;
  const std::string database_folder_;
  const std::string key_path_;

  // Held shared to use the database and its keys, exclusively to replace them.
  mutable std::shared_mutex database_mutex_;
  // Null if it could not be opened.
  std::unique_ptr<rocksdb::DB> database_;
  bool is_read_only_ = false;
  MacKeys keys_;

  std::mutex save_mutex_;
  bool saving_failed_ = false;
  Clock::time_point retry_at_;

  mutable std::mutex health_mutex_;
  absl::Status load_health_;
  absl::Status save_health_;

  std::atomic<std::size_t> bytes_ = 0;
  std::atomic<std::uint64_t> began_anew_ = 0;
};

}  // namespace thalweg::cache
