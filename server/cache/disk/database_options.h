// How RocksDB is set up for tiles: large values that are written once and never change.
#pragma once

#include <cstddef>

#include "rocksdb/options.h"

namespace thalweg::cache {

// A database whose folder takes max this number of bytes.
rocksdb::Options DatabaseOptions(std::size_t budget_bytes);

}  // namespace thalweg::cache
