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
  const bool fresh = tiles_.insert_or_assign(key, entry).second;
  if (!fresh || tiles_.size() <= kMostLedgerTiles) return absl::OkStatus();
  tiles_.erase(key);
  return absl::ResourceExhaustedError(
      absl::StrCat("session: the client has more than ", kMostLedgerTiles,
                   " tiles; it must drop some (DropTiles) before it gets more"));
}

const lod::TileFacts* Ledger::FactsOf(const wire::TileKey& key) const {
  const auto entry = tiles_.find(key);
  return entry == tiles_.end() ? nullptr : &entry->second.facts;
}

bool Ledger::TakeUntold(const wire::TileKey& key) {
  const auto entry = tiles_.find(key);
  if (entry == tiles_.end() || !entry->second.untold) return false;
  entry->second.untold = false;
  return true;
}

}  // namespace thalweg::session
