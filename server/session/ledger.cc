#include "server/session/ledger.h"

#include "absl/strings/str_cat.h"

namespace thalweg::session {

absl::Status Ledger::AddKept(const wire::TileKey& key, const lod::TileFacts& facts) {
  return Add(key, {.facts = facts, .untold = true});
}

absl::Status Ledger::AddSent(const wire::TileKey& key, const lod::TileFacts& facts) {
  return Add(key, {.facts = facts});
}

absl::Status Ledger::Add(const wire::TileKey& key, const Entry& entry) {
  const std::lock_guard lock(mutex_);
  const auto found = tiles_.find(key);
  if (found != tiles_.end()) {
    found->second = entry;
  } else if (tiles_.size() < kMaxLedgerTiles) {
    tiles_.emplace(key, entry);
  } else {
    return absl::ResourceExhaustedError(
        absl::StrCat("session: expected max ", kMaxLedgerTiles,
                     " tiles at the client, got more; drop some (DropTiles)"));
  }
  return absl::OkStatus();
}

void Ledger::Drop(const wire::TileKey& key) {
  const std::lock_guard lock(mutex_);
  tiles_.erase(key);
}

bool Ledger::Has(const wire::TileKey& key) const {
  const std::lock_guard lock(mutex_);
  return tiles_.contains(key);
}

std::optional<lod::TileFacts> Ledger::FactsOf(const wire::TileKey& key) const {
  const std::lock_guard lock(mutex_);
  const auto entry = tiles_.find(key);
  if (entry == tiles_.end()) return std::nullopt;
  return entry->second.facts;
}

bool Ledger::TakeUntold(const wire::TileKey& key) {
  const std::lock_guard lock(mutex_);
  const auto entry = tiles_.find(key);
  if (entry == tiles_.end() || !entry->second.untold) return false;
  entry->second.untold = false;
  return true;
}

std::size_t Ledger::size() const {
  const std::lock_guard lock(mutex_);
  return tiles_.size();
}

}  // namespace thalweg::session
