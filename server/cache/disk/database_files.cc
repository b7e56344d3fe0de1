#include "server/cache/disk/database_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdarg>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "proto/base/whole_file.h"
#include "rocksdb/env.h"
#include "rocksdb/filter_policy.h"

namespace thalweg::cache {
namespace {

namespace fs = std::filesystem;

static_assert(std::endian::native == std::endian::little,
              "footers are read in the machine's byte order, which must be little-endian");

// RocksDB numbers files from 1. It asserts that there are less than 2^62.
constexpr std::uint64_t kMaxNumber = std::uint64_t{1} << 48;

constexpr std::array<std::string_view, 2> kTableEndings = {".sst", ".ldb"};
constexpr std::array<std::string_view, 3> kOtherEndings = {".log", ".blob", ".dbtmp"};

// A footer of the formats 1 to 5 (rocksdb/table/format.cc): the type of the checksums; offset and
// size of the index of metadata, then of the index of keys, all as varints; zeros; the format; the
// magic number of tables of blocks. RocksDB takes as much memory as a size says.
constexpr std::size_t kFooterBytes = 53;
constexpr std::size_t kFormatAt = 41;
constexpr std::size_t kMagicAt = 45;
constexpr std::uint64_t kMagic = 0x88e241b785f4cff7;
// The checksum and the type of compression after each block.
constexpr std::uint64_t kTrailerBytes = 5;

bool IsDigits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char digit) {
    return absl::ascii_isdigit(static_cast<unsigned char>(digit));
  });
}

// The digits in the name of a database's file; empty for a file without a number, nothing for a
// file that is not a database's.
std::optional<std::string_view> DigitsOf(std::string_view name) {
  if (name == "CURRENT" || name == "IDENTITY") return "";
  for (const std::string_view beginning : {"MANIFEST-", "OPTIONS-"}) {
    if (name.starts_with(beginning)) {
      name.remove_prefix(beginning.size());
      if (name.ends_with(".dbtmp")) name.remove_suffix(std::string_view(".dbtmp").size());
      return IsDigits(name) ? std::optional(name) : std::nullopt;
    }
  }
  const std::size_t dot = std::min(name.find('.'), name.size());
  const std::string_view ending = name.substr(dot);
  const bool is_known = std::ranges::find(kTableEndings, ending) != kTableEndings.end() ||
                        std::ranges::find(kOtherEndings, ending) != kOtherEndings.end();
  const std::string_view digits = name.substr(0, dot);
  return is_known && IsDigits(digits) ? std::optional(digits) : std::nullopt;
}

bool IsTable(std::string_view name) {
  return std::ranges::any_of(kTableEndings,
                             [&](std::string_view ending) { return name.ends_with(ending); });
}

// Takes a number off the front; nothing if its bytes are not one.
std::optional<std::uint64_t> TakeVarint(std::string_view& bytes) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    value |= std::uint64_t{byte & 0x7fU} << shift;
    if (byte < 0x80) return value;
  }
  return std::nullopt;
}

// Takes the place of a block off the front, and tells whether the block ends before `end`.
bool TakeBlock(std::string_view& bytes, std::uint64_t end) {
  const std::optional<std::uint64_t> offset = TakeVarint(bytes);
  const std::optional<std::uint64_t> size = TakeVarint(bytes);
  if (!offset || !size || *offset > end || *size > end - *offset) return false;
  return end - *offset - *size >= kTrailerBytes;
}

// Whether RocksDB may open a table with this footer, which begins at `at` of the file.
bool IsSound(std::string_view footer, std::uint64_t at) {
  std::uint64_t magic = 0;
  std::memcpy(&magic, footer.data() + kMagicAt, sizeof magic);
  if (magic != kMagic) return true;
  std::uint32_t format = 0;
  std::memcpy(&format, footer.data() + kFormatAt, sizeof format);
  if (format != kTableFormat || footer.front() != kTableChecksum) return false;
  footer = footer.substr(1, kFormatAt - 1);
  return TakeBlock(footer, at) && TakeBlock(footer, at);
}

// A file that can't be read is RocksDB's to report.
bool HasSoundFooter(const std::string& path) {
  const files::Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat facts {};
  if (!file.is_open() || fstat(file.number(), &facts) != 0) return true;
  const auto size = static_cast<std::uint64_t>(facts.st_size);
  if (size < kFooterBytes) return true;
  std::array<char, kFooterBytes> footer;
  const std::uint64_t at = size - kFooterBytes;
  const ssize_t got = pread(file.number(), footer.data(), footer.size(), static_cast<off_t>(at));
  if (got != static_cast<ssize_t>(footer.size())) return true;
  return IsSound({footer.data(), footer.size()}, at);
}

absl::Status CheckFile(const fs::directory_entry& entry) {
  const std::string path = entry.path().string();
  const std::string name = entry.path().filename().string();
  const std::optional<std::string_view> digits = DigitsOf(name);
  if (!digits) return absl::OkStatus();
  const auto damage = [&](const char* what) {
    return absl::DataLossError(absl::StrCat("damaged file '", path, "': ", what));
  };
  std::uint64_t number = 0;
  if (!digits->empty() &&
      (!absl::SimpleAtoi(absl::string_view(digits->data(), digits->size()), &number) ||
       number == 0 || number > kMaxNumber)) {
    return damage("the number in its name is not one of RocksDB");
  }
  std::error_code error;
  if (!entry.is_regular_file(error)) {
    return error && error != std::errc::no_such_file_or_directory ? absl::OkStatus()
                                                                  : damage("not a regular file");
  }
  if (IsTable(name) && !HasSoundFooter(path)) {
    return damage("a table with a wrong footer");
  }
  return absl::OkStatus();
}

std::vector<fs::directory_entry> EntriesOf(const std::string& folder) {
  std::vector<fs::directory_entry> entries;
  std::error_code error;
  fs::directory_iterator entry(folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    entries.push_back(*entry);
  }
  return entries;
}

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

absl::Status CheckDatabaseFiles(const std::string& folder) {
  for (const fs::directory_entry& entry : EntriesOf(folder)) {
    absl::Status checked = CheckFile(entry);
    if (!checked.ok()) return checked;
  }
  return absl::OkStatus();
}

void RemoveDatabaseFiles(const std::string& folder) {
  for (const fs::directory_entry& entry : EntriesOf(folder)) {
    std::error_code ignored;
    // Of folders, only empty ones.
    if (DigitsOf(entry.path().filename().string())) fs::remove(entry.path(), ignored);
  }
  files::SyncFolderOf((fs::path(folder) / "CURRENT").string()).IgnoreError();
}

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
