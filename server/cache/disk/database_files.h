// What is checked of a database's files before RocksDB reads them. Its checksums find other damage,
// but what they don't cover may end the process: a table's footer, the numbers in names of files,
// and what is no file at all.
#pragma once

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "rocksdb/options.h"
#include "rocksdb/table.h"

namespace thalweg::cache {

// RocksDB's options for tiles: large values that are written once and never change. Options for a
// database whose folder takes at most this number of bytes.
rocksdb::Options DatabaseOptions(std::size_t budget_bytes);

// The part of these bytes that is not for tables: the log and the tables of its buffers while they
// are written, and small files. Without so much room on the disk the database must not write.
std::size_t OverheadBytes(std::size_t budget_bytes);

// The max number of files that the database has open.
std::size_t OpenFiles(std::size_t budget_bytes);

// The form of all tables, which decides where their footers are and what is in them.
inline constexpr rocksdb::ChecksumType kTableChecksum = rocksdb::kXXH3;
inline constexpr unsigned kTableFormat = 5;

// DATA_LOSS names a file that RocksDB must not read. A table without the magic number at its end is
// no damage: it may be unfinished, and RocksDB refuses it if it should be whole.
absl::Status CheckDatabaseFiles(const std::string& folder);

// Removes the files of a database except its lock, and nothing else. The database must be locked.
void RemoveDatabaseFiles(const std::string& folder);

}  // namespace thalweg::cache
