#include "client/src/view/frame_changes.h"

#include <map>
#include <optional>

#include "client/src/contract/keys.h"
#include "proto/lod/tile_tree.h"

namespace thalweg {
namespace {

// Tiles that only one of the two sets has, by key.
using Tiles = std::map<TileKey, const DrawnTile*>;

// Returns the tile of a set that covers the key's ground and is coarser; nothing if none does.
std::optional<TileKey> CoveringIn(const Tiles& tiles, const TileKey& key) {
  for (int level = key.level - 1; level >= 0; --level) {
    const TileKey ancestor = ToPublic(lod::AncestorOf(ToWire(key), level));
    if (tiles.contains(ancestor)) return ancestor;
  }
  return std::nullopt;
}

// Compares two sets. Tiles of both sets stay, perhaps with other neighbours; the others go to
// `gone` and `come`.
void Compare(std::span<const DrawnTile> before, std::span<const DrawnTile> after, Tiles& gone,
             Tiles& come, FrameChanges& changes) {
  auto old_tile = before.begin();
  auto new_tile = after.begin();
  while (old_tile != before.end() || new_tile != after.end()) {
    if (new_tile == after.end() || (old_tile != before.end() && old_tile->key < new_tile->key)) {
      gone.emplace(old_tile->key, &*old_tile);
      ++old_tile;
    } else if (old_tile == before.end() || new_tile->key < old_tile->key) {
      come.emplace(new_tile->key, &*new_tile);
      ++new_tile;
    } else {
      if (old_tile->tile != new_tile->tile) {
        changes.refined.push_back({{old_tile->key}, {*new_tile}});
      } else if (old_tile->coarser != new_tile->coarser) {
        changes.restitched.push_back(*new_tile);
      }
      ++old_tile;
      ++new_tile;
    }
  }
}

}  // namespace

FrameChanges ChangesBetween(std::span<const DrawnTile> before, std::span<const DrawnTile> after) {
  FrameChanges changes;
  Tiles gone;
  Tiles come;
  Compare(before, after, gone, come, changes);

  std::map<TileKey, Replacement> refined;
  std::map<TileKey, Replacement> coarsened;
  for (const auto& [key, tile] : come) {
    if (const auto parent = CoveringIn(gone, key)) {
      refined[*parent].removed = {*parent};
      refined[*parent].added.push_back(*tile);
    }
  }
  for (const auto& [key, tile] : gone) {
    if (refined.contains(key)) continue;
    if (const auto parent = CoveringIn(come, key)) {
      coarsened[*parent].added = {*come.at(*parent)};
      coarsened[*parent].removed.push_back(key);
    } else {
      changes.removed.push_back(key);
    }
  }
  for (const auto& [key, tile] : come) {
    if (!coarsened.contains(key) && !CoveringIn(gone, key)) changes.added.push_back(*tile);
  }
  for (auto& [key, replacement] : refined) changes.refined.push_back(std::move(replacement));
  for (auto& [key, replacement] : coarsened) changes.coarsened.push_back(std::move(replacement));
  return changes;
}

}  // namespace thalweg
