#include "server/cache/shared/shared_cache.h"

#include <libmemcached/memcached.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "proto/wire/status_macros.h"

namespace thalweg::cache {
namespace {

// How many servers may be asked for a tile: the first one, unless it fails.
constexpr std::size_t kMaxHomes = 4;
// How many hashes are tried to find these servers, since some hashes give the same server.
constexpr int kMaxHashes = 32;

// A key that every memcached accepts: under 250 characters, none of them special.
std::string KeyOf(const TileId& id) {
  return absl::StrCat("thalweg:", absl::BytesToHexString(RecordKey(id)));
}

}  // namespace

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

absl::StatusOr<std::vector<wire::HostPort>> ParseServers(std::string_view text) {
  std::vector<wire::HostPort> servers;
  for (const absl::string_view word :
       absl::StrSplit(absl::string_view(text.data(), text.size()), ',')) {
    THALWEG_ASSIGN_OR_RETURN(
        wire::HostPort server,
        wire::ParseHostPort("shared_cache", std::string_view(word.data(), word.size()), 1));
    servers.push_back(std::move(server));
  }
  return servers;
}

SharedCache::SharedCache(std::vector<wire::HostPort> servers, const MacKeys& keys,
                         const MemcachedOptions& options)
    : name_(absl::StrCat("shared cache of ", servers.size(),
                         servers.size() == 1 ? " server" : " servers")),
      keys_(keys),
      ring_(servers) {
  for (wire::HostPort& server : servers) {
    servers_.push_back(std::make_unique<MemcachedServer>(std::move(server), options));
  }
}

SharedCache::~SharedCache() = default;

LoadResult SharedCache::Load(const TileId& id) {
  const std::string key = KeyOf(id);
  MemcachedServer* server = ServerFor(key);
  if (server == nullptr) return {LoadOutcome::kSkipped, nullptr};
  const absl::StatusOr<std::optional<std::string>> record = server->Get(key);
  if (!record.ok()) return {LoadOutcome::kError, nullptr};
  if (!record->has_value()) return {LoadOutcome::kMiss, nullptr};
  absl::StatusOr<TileBytes> bytes = DecodeRecord(keys_, id, **record);
  if (bytes.ok()) return {LoadOutcome::kHit, *std::move(bytes)};
  // A failed delete counts for the server's breaker. The next save replaces the record too.
  if (server->Allow()) server->Delete(key).IgnoreError();
  return {LoadOutcome::kBadRecord, nullptr};
}

SaveOutcome SharedCache::Save(const TileId& id, const TileBytes& bytes) {
  if (bytes->size() > kMaxTileBytes) return SaveOutcome::kTooLarge;
  const std::string key = KeyOf(id);
  MemcachedServer* server = ServerFor(key);
  if (server == nullptr) return SaveOutcome::kSkipped;
  return server->Set(key, EncodeRecord(keys_, id, *bytes)).ok() ? SaveOutcome::kSaved
                                                                : SaveOutcome::kError;
}

absl::Status SharedCache::health() const {
  std::string failures;
  for (const auto& server : servers_) {
    const absl::Status health = server->health();
    if (health.ok()) continue;
    absl::StrAppend(&failures, failures.empty() ? "" : "; ", std::string(health.message()));
  }
  if (failures.empty()) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat(name_, ": ", failures));
}

std::size_t SharedCache::HomeOf(const TileId& id) const { return ring_.HomeOf(KeyOf(id)); }

// Every thalwegd with the same list finds the same servers in the same order.
MemcachedServer* SharedCache::ServerFor(const std::string& key) {
  const std::size_t homes = std::min(kMaxHomes, servers_.size());
  std::vector<std::size_t> refused;
  for (int n = 0; n < kMaxHashes && refused.size() < homes; ++n) {
    const std::size_t home = ring_.HomeOf(n == 0 ? key : absl::StrCat(key, "#", n));
    if (std::find(refused.begin(), refused.end(), home) != refused.end()) continue;
    if (servers_[home]->Allow()) return servers_[home].get();
    refused.push_back(home);
  }
  return nullptr;
}

}  // namespace thalweg::cache
