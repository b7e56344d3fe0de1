#include "server/cache/disk/database_options.h"

#include <algorithm>
#include <cstdarg>
#include <memory>

#include "rocksdb/env.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/table.h"
#include "server/cache/disk/database_files.h"

namespace thalweg::cache {
namespace {

constexpr std::size_t kMebibyte = std::size_t{1} << 20;

// RocksDB's own log. Its logger of files ends the process when it writes again after an error (7.8,
// with the assertions of Debian's build), which a full disk brings about at once. What matters is
// in the status of each call.
class NoLog final : public rocksdb::Logger {
 public:
  using rocksdb::Logger::Logv;
  void Logv(const char* /*format*/, va_list /*values*/) override {}
};

// The size of a file's filter: with it one file in a hundred is opened in vain.
constexpr double kBitsAKey = 10;
// The manifest, and the last tile of each buffer, which may exceed the buffer.
constexpr std::size_t kOtherFilesBytes = 8 * kMebibyte;

// Every buffer becomes one file, and a load asks the filter of each file: a few hundred of them.
std::size_t WriteBufferBytes(std::size_t budget_bytes) {
  return std::clamp(budget_bytes / 256, kMebibyte / 2, 16 * kMebibyte);
}

rocksdb::BlockBasedTableOptions TableOptions() {
  rocksdb::BlockBasedTableOptions table;
  // Each tile is a block, and the system's page cache holds the tiles that are used often.
  table.no_block_cache = true;
  table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(kBitsAKey));
  table.checksum = kTableChecksum;
  table.format_version = kTableFormat;
  return table;
}

}  // namespace

// The logs of two buffers, a table that is being made and one that is about to be deleted.
std::size_t OverheadBytes(std::size_t budget_bytes) {
  return 4 * WriteBufferBytes(budget_bytes) + kOtherFilesBytes;
}

// Each buffer becomes a table, which stays open.
std::size_t OpenFiles(std::size_t budget_bytes) {
  constexpr std::size_t kOtherFiles = 16;
  return budget_bytes / WriteBufferBytes(budget_bytes) + kOtherFiles;
}

rocksdb::Options DatabaseOptions(std::size_t budget_bytes) {
  rocksdb::Options options;
  options.create_if_missing = true;
  // By the thread that opens the database: RocksDB ends the process where it gets no thread for it.
  options.max_file_opening_threads = 1;
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(TableOptions()));
  options.compression = rocksdb::kNoCompression;  // tiles are compressed

  // Whole files are dropped, the oldest first. Files are never merged, so a damaged file harms only
  // its own tiles.
  options.compaction_style = rocksdb::kCompactionStyleFIFO;
  options.write_buffer_size = WriteBufferBytes(budget_bytes);
  options.max_write_buffer_number = 2;
  options.compaction_options_fifo.max_table_files_size = budget_bytes - OverheadBytes(budget_bytes);
  options.compaction_options_fifo.allow_compaction = false;

  // Writes survive the process, since the system gets the log at once. A truncated or damaged log
  // loses only what can't be read; each record is verified by its own code.
  options.wal_recovery_mode = rocksdb::WALRecoveryMode::kSkipAnyCorruptedRecords;
  // Else each start of the server would leave a small file.
  options.avoid_flush_during_recovery = true;
  options.bytes_per_sync = kMebibyte;

  // The cache itself tries again, so that one rule covers all errors.
  options.max_bgerror_resume_count = 0;

  options.max_open_files = -1;
  options.skip_stats_update_on_db_open = true;
  options.max_manifest_file_size = kMebibyte;
  options.info_log = std::make_shared<NoLog>();
  options.stats_dump_period_sec = 0;
  options.stats_persist_period_sec = 0;
  return options;
}

}  // namespace thalweg::cache
