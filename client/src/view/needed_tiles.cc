#include "client/src/view/needed_tiles.h"

namespace thalweg {
namespace {

// Max remembered tiles. Beyond it, needed tiles that never arrived are forgotten.
constexpr std::size_t kMaxSeen = 65'536;

}  // namespace

void NeededTiles::Need(const lod::Selection& selection, lod::IsLoaded is_loaded) {
  for (const lod::Wanted& tile : selection.tiles()) {
    if (tile.need != lod::Need::kInView || !seen_.insert(tile.key).second) continue;
    ++needed_;
    if (is_loaded(tile.key)) ++in_time_;
  }
  if (seen_.size() <= kMaxSeen) return;
  absl::erase_if(seen_, [&](const wire::TileKey& key) {
    return selection.Find(key) == nullptr && !is_loaded(key);
  });
}

}  // namespace thalweg
