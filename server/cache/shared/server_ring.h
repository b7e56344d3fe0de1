// Assigns keys to servers by consistent hashing (Karger et al. 1997): ketama, as in libmemcached
// and other clients of memcached.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "server/cache/shared/tcp_socket.h"

struct memcached_st;

namespace thalweg::cache {

// Thread-safe.
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

}  // namespace thalweg::cache
