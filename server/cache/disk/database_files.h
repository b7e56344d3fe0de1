// What is checked of a database's files before RocksDB reads them. Its checksums find other damage,
// but what they don't cover may end the process: a table's footer, the numbers in names of files,
// and what is no file at all.
#pragma once

#include <string>

#include "absl/status/status.h"
#include "rocksdb/table.h"

namespace thalweg::cache {

// The form of all tables, which decides where their footers are and what is in them.
inline constexpr rocksdb::ChecksumType kTableChecksum = rocksdb::kXXH3;
inline constexpr unsigned kTableFormat = 5;

// DATA_LOSS names a file that RocksDB must not read. A table without the magic number at its end is
// no damage: it may be unfinished, and RocksDB refuses it if it should be whole.
absl::Status CheckDatabaseFiles(const std::string& folder);

// Removes the files of a database except its lock, and nothing else. The database must be locked.
void RemoveDatabaseFiles(const std::string& folder);

}  // namespace thalweg::cache
