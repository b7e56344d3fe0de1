// Tiles that servers share through memcached: consistent hashing picks a memcached for each tile.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/cache/shared/memcached_server.h"
#include "server/cache/shared/tcp_socket.h"
#include "server/cache/tile_record.h"
#include "server/cache/tile_store.h"

struct memcached_st;

namespace thalweg::cache {

// Assigns keys to servers by consistent hashing (Karger et al. 1997): ketama, as in libmemcached
// and other clients of memcached. Thread-safe.
class ServerRing {
 public:
  // servers: at least one.
  explicit ServerRing(const std::vector<wire::HostPort>& servers);
  ~ServerRing();

  ServerRing(const ServerRing&) = delete;
  ServerRing& operator=(const ServerRing&) = delete;

  // The index of the key's server in the list.
  std::size_t HomeOf(const std::string& key) const;

 private:
  struct Free {
    void operator()(memcached_st* ring) const;
  };

  mutable std::mutex mutex_;
  const std::unique_ptr<memcached_st, Free> ring_;
};

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

  // The index of the server that has the tile while all servers work.
  std::size_t HomeOf(const TileId& id) const;

 private:
  // The server to ask now; null if none of the tile's servers may be asked.
  MemcachedServer* ServerFor(const std::string& key);

  const std::string name_;
  const MacKeys keys_;
  std::vector<std::unique_ptr<MemcachedServer>> servers_;
  const ServerRing ring_;
};

}  // namespace thalweg::cache
