// Opens the disk cache and the shared cache.
#pragma once

#include <memory>

#include "absl/status/statusor.h"
#include "server/cache/store_chain.h"
#include "server/commands/config.h"

namespace thalweg::commands {

// Opens the disk cache, and behind it the shared one; logs when they fail later. Null if neither is
// configured. An error if the folder can't be opened, a key can't be read, or the list of servers
// is invalid.
absl::StatusOr<std::unique_ptr<cache::StoreChain>> OpenStores(const ServerConfig& config);

}  // namespace thalweg::commands
