#include "server/cache/shared/shared_cache.h"

#include <xxhash.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "proto/wire/status_macros.h"
#include "server/sharing/rendezvous.h"

namespace thalweg::cache {
namespace {

// How many servers may be asked for a tile: the first one, unless it fails.
constexpr std::size_t kMaxHomes = 4;

std::uint64_t HashOf(const std::string& text) { return XXH3_64bits(text.data(), text.size()); }

// A key that every memcached accepts: under 250 characters, none of them special.
std::string KeyOf(const TileId& id) {
  return absl::StrCat("thalweg:", absl::BytesToHexString(RecordKey(id)));
}

}  // namespace

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
      keys_(keys) {
  for (wire::HostPort& server : servers) {
    servers_.push_back(std::make_unique<MemcachedServer>(std::move(server), options));
    nodes_.push_back(HashOf(servers_.back()->name()));
  }
}

SharedCache::~SharedCache() = default;

LoadResult SharedCache::Load(const TileId& id) {
  MemcachedServer* server = ServerFor(id);
  if (server == nullptr) return {LoadOutcome::kSkipped, nullptr};
  const std::string key = KeyOf(id);
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
  MemcachedServer* server = ServerFor(id);
  if (server == nullptr) return SaveOutcome::kSkipped;
  const absl::Status status = server->Set(KeyOf(id), EncodeRecord(keys_, id, *bytes));
  return status.ok() ? SaveOutcome::kSaved : SaveOutcome::kError;
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

// Every thalwegd with the same servers finds the same ones in the same order.
std::vector<std::size_t> SharedCache::HomesOf(const TileId& id) const {
  std::vector<std::size_t> homes = sharing::RendezvousOrder(HashOf(RecordKey(id)), nodes_);
  homes.resize(std::min(kMaxHomes, homes.size()));
  return homes;
}

MemcachedServer* SharedCache::ServerFor(const TileId& id) {
  for (const std::size_t home : HomesOf(id)) {
    if (servers_[home]->Allow()) return servers_[home].get();
  }
  return nullptr;
}

}  // namespace thalweg::cache
