#include "server/commands/open_stores.h"

#include <spdlog/spdlog.h>

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "proto/wire/status_macros.h"
#include "server/cache/disk/disk_cache.h"
#include "server/cache/key_file.h"
#include "server/cache/shared/shared_cache.h"
#include "server/tile/check_tile.h"

namespace thalweg::commands {
namespace {

void LogHealth(const std::string& name, const absl::Status& health) {
  if (health.ok()) {
    spdlog::info("{}: works again", name);
  } else {
    spdlog::warn("{}", std::string(health.message()));
  }
}

std::unique_ptr<cache::BackgroundStore> InBackground(std::unique_ptr<cache::TileStore> store,
                                                     std::string level) {
  cache::BackgroundStoreOptions options;
  options.level = std::move(level);
  options.check = tile::CheckTile;
  options.on_health = LogHealth;
  return std::make_unique<cache::BackgroundStore>(std::move(store), std::move(options));
}

absl::StatusOr<std::unique_ptr<cache::TileStore>> OpenDisk(const ServerConfig& config) {
  THALWEG_ASSIGN_OR_RETURN(
      auto disk,
      cache::DiskCache::Open({.folder = config.disk_cache(),
                              .budget_bytes = std::size_t{config.disk_cache_mb()} << 20,
                              .on_loss = [folder = config.disk_cache()](const std::string& found) {
                                spdlog::warn(
                                    "disk cache '{}': begins anew, its tiles are computed again: "
                                    "{}",
                                    folder, found);
                              }}));
  spdlog::info("{}: {} of {} MiB", disk->name(), disk->bytes() >> 20, config.disk_cache_mb());
  if (!disk->health().ok()) LogHealth(disk->name(), disk->health());
  return disk;
}

absl::StatusOr<std::unique_ptr<cache::TileStore>> OpenShared(const ServerConfig& config) {
  THALWEG_ASSIGN_OR_RETURN(auto servers, cache::ParseServers(config.shared_cache()));
  absl::StatusOr<cache::MacKeys> keys = cache::ReadKeyFile(config.shared_cache_key_file());
  if (absl::IsNotFound(keys.status())) {
    return absl::NotFoundError(absl::StrCat(
        keys.status().message(), "; make one with `thalwegd cache-key --out ",
        config.shared_cache_key_file(), "`, and copy it to every server that shares tiles"));
  }
  THALWEG_RETURN_IF_ERROR(keys.status());
  return std::make_unique<cache::SharedCache>(std::move(servers), *keys, cache::MemcachedOptions{});
}

}  // namespace

absl::StatusOr<std::unique_ptr<cache::StoreChain>> OpenStores(const ServerConfig& config) {
  std::vector<std::unique_ptr<cache::BackgroundStore>> stores;
  if (!config.disk_cache().empty()) {
    THALWEG_ASSIGN_OR_RETURN(auto disk, OpenDisk(config));
    stores.push_back(InBackground(std::move(disk), "disk"));
  }
  if (!config.shared_cache().empty()) {
    THALWEG_ASSIGN_OR_RETURN(auto shared, OpenShared(config));
    stores.push_back(InBackground(std::move(shared), "shared"));
    spdlog::info("{}: {}", stores.back()->name(), config.shared_cache());
  }
  if (stores.empty()) return nullptr;
  return std::make_unique<cache::StoreChain>(std::move(stores));
}

}  // namespace thalweg::commands
