// Opens the disk cache and the shared cache.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "server/cache/store_chain.h"

namespace thalweg::commands {

struct StoreOptions {
  // A folder for tiles; empty for no disk cache.
  std::string disk_folder;
  std::size_t disk_bytes = 0;
  // HOST:PORT[,HOST:PORT...] of memcached servers; empty for no shared cache.
  std::string shared_servers;
  // The file with the key of their tiles; see cache/key_file.h.
  std::string shared_key_file;
};

// Opens the disk cache, and behind it the shared one; logs when they fail later. Null if neither is
// configured. An error if the folder can't be opened, a key can't be read, or the list of servers
// is invalid.
absl::StatusOr<std::unique_ptr<cache::StoreChain>> OpenStores(const StoreOptions& options);

}  // namespace thalweg::commands
