#include "server/cache/shared/server_ring.h"

#include <libmemcached/memcached.h>

namespace thalweg::cache {

void ServerRing::Free::operator()(memcached_st* ring) const { memcached_free(ring); }

ServerRing::ServerRing(const std::vector<wire::HostPort>& servers)
    : ring_(memcached_create(nullptr)) {
  memcached_behavior_set(ring_.get(), MEMCACHED_BEHAVIOR_KETAMA_WEIGHTED, 1);
  for (const wire::HostPort& server : servers) {
    memcached_server_add(ring_.get(), server.host.c_str(), static_cast<in_port_t>(server.port));
  }
}

ServerRing::~ServerRing() = default;

std::size_t ServerRing::HomeOf(const std::string& key) const {
  const std::lock_guard lock(mutex_);
  return memcached_generate_hash(ring_.get(), key.data(), key.size());
}

}  // namespace thalweg::cache
