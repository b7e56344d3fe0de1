// Opens the caches behind memory.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "server/cache/store_chain.h"

namespace thalweg::commands {

struct StoreOptions {
  // A folder for tiles; empty for none.
  std::string disk_folder;
  std::size_t disk_bytes = 0;
  // HOST:PORT[,HOST:PORT...] of memcached servers; empty for none.
  std::string shared_servers;
  // The key of their tiles, as cache/key_file.h reads it.
  std::string shared_key_file;
};

// The disk cache and behind it the shared one; their failures are logged. Null if neither is
// configured; an error if the folder can't be opened, a key can't be read or the servers' list is
// invalid.
absl::StatusOr<std::unique_ptr<cache::StoreChain>> OpenStores(const StoreOptions& options);

}  // namespace thalweg::commands
