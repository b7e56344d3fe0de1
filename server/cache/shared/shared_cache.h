// Tiles that servers share through memcached: rendezvous hashing picks a memcached for each tile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "proto/wire/host_port.h"
#include "server/cache/shared/memcached_server.h"
#include "server/cache/tile_record.h"
#include "server/cache/tile_store.h"

namespace thalweg::cache {

// Parses HOST:PORT[,HOST:PORT...]; an IPv6 address stands in brackets. INVALID_ARGUMENT names the
// invalid part.
absl::StatusOr<std::vector<wire::HostPort>> ParseServers(std::string_view text);

// Thread-safe. A server that fails is not asked for a while; meanwhile another one has its tiles.
class SharedCache final : public TileStore {
 public:
  // Max bytes of a tile: an item of memcached has 1 MiB, including its key and header.
  static constexpr std::size_t kMaxTileBytes = 1'000'000;

  // servers: at least one, reachable or not. All thalwegd that share them need the same keys.
  SharedCache(std::vector<wire::HostPort> servers, const MacKeys& keys,
              const MemcachedOptions& options);
  ~SharedCache() override;

  SharedCache(const SharedCache&) = delete;
  SharedCache& operator=(const SharedCache&) = delete;

  const std::string& name() const override { return name_; }
  LoadResult Load(const TileId& id) override;
  SaveOutcome Save(const TileId& id, const TileBytes& bytes) override;
  std::size_t bytes() const override { return 0; }
  // UNAVAILABLE names the servers that are not asked, and why.
  absl::Status health() const override;

  // The indices of the servers that may have the tile, in the order in which they are asked: the
  // first one, unless it fails.
  std::vector<std::size_t> HomesOf(const TileId& id) const;

 private:
  // The server to ask now; null if none of the tile's servers may be asked.
  MemcachedServer* ServerFor(const TileId& id);

  const std::string name_;
  const MacKeys keys_;
  std::vector<std::unique_ptr<MemcachedServer>> servers_;
  // Hashes of the servers' names, so that a server's place in the list does not matter.
  std::vector<std::uint64_t> nodes_;
};

}  // namespace thalweg::cache
