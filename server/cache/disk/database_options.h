// RocksDB's options for tiles: large values that are written once and never change.
#pragma once

#include <cstddef>

#include "rocksdb/options.h"

namespace thalweg::cache {

// Options for a database whose folder takes at most this number of bytes.
rocksdb::Options DatabaseOptions(std::size_t budget_bytes);

}  // namespace thalweg::cache
