// RocksDB's options for tiles: large values that are written once and never change.
#pragma once

#include <cstddef>

#include "rocksdb/options.h"

namespace thalweg::cache {

// Options for a database whose folder takes at most this number of bytes.
rocksdb::Options DatabaseOptions(std::size_t budget_bytes);

// The part of these bytes that is not for tables: the log and the tables of its buffers while they
// are written, and small files. Without so much room on the disk the database must not write.
std::size_t OverheadBytes(std::size_t budget_bytes);

// The max number of files that the database has open.
std::size_t OpenFiles(std::size_t budget_bytes);

}  // namespace thalweg::cache
