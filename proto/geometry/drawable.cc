#include "proto/geometry/drawable.h"

#include <algorithm>
#include <memory>

#include "absl/container/flat_hash_map.h"
#include "proto/geometry/surface.h"
#include "proto/geometry/tile_tree.h"

namespace thalweg::lod {
namespace {

using wire::TileKey;

// Tiles that are drawn themselves or through their children, by level.
class Drawing {
 public:
  Drawing(const Selection& selection, IsLoaded is_loaded)
      : selection_(selection), surface_(SurfaceOf(selection.grid())), is_loaded_(is_loaded) {}

  Drawable Run() {
    AddRoots();
    // Level by level: the tiles that touch a tile have been split before its own turn.
    for (std::vector<TileKey> level = roots_; !level.empty();) {
      std::vector<TileKey> next;
      for (const TileKey& key : level) {
        if (!CanSplit(key)) continue;
        for (const TileKey& child : ChildrenOf(key)) next.push_back(child);
      }
      for (const TileKey& child : next) present_.emplace(child, false);
      for (const TileKey& child : next) present_[ParentOf(child)] = true;
      level = std::move(next);
    }
    for (const auto& [key, split] : present_) {
      if (!split) AddDrawn(key);
    }
    std::sort(drawable_.tiles.begin(), drawable_.tiles.end(),
              [](const Drawn& a, const Drawn& b) { return a.key < b.key; });
    return std::move(drawable_);
  }

 private:
  void AddRoots() {
    drawable_.complete = !selection_.tiles().empty();
    for (const Wanted& tile : selection_.tiles()) {
      if (tile.key.level != 0) continue;
      if (is_loaded_(tile.key)) {
        roots_.push_back(tile.key);
        present_.emplace(tile.key, false);
      } else {
        drawable_.complete = false;
      }
    }
    drawable_.finest = drawable_.complete;
  }

  bool CanSplit(const TileKey& key) {
    const Wanted* wanted = selection_.Find(key);
    if (wanted == nullptr || !wanted->split) return false;
    const auto children = ChildrenOf(key);
    const Touching touching = surface_->TouchingOf(key);
    const bool can = std::all_of(children.begin(), children.end(), is_loaded_) &&
                     std::all_of(touching.begin(), touching.end(), [this](const TileKey& other) {
                       return present_.contains(other) || !present_.contains(AncestorOf(other, 0));
                     });
    if (!can) drawable_.finest = false;
    return can;
  }

  void AddDrawn(const TileKey& key) {
    Drawn drawn{.key = key};
    const Touching touching = surface_->TouchingOf(key);
    for (std::size_t n = 0; n < touching.size() && key.level > 0; ++n) {
      drawn.coarser[n] =
          !present_.contains(touching[n]) && present_.contains(ParentOf(touching[n]));
    }
    drawable_.tiles.push_back(drawn);
  }

  const Selection& selection_;
  const std::unique_ptr<const Surface> surface_;
  const IsLoaded is_loaded_;
  std::vector<TileKey> roots_;
  absl::flat_hash_map<TileKey, bool> present_;  // true: drawn through its children
  Drawable drawable_;
};

}  // namespace

Drawable DrawableOf(const Selection& selection, IsLoaded is_loaded) {
  return Drawing(selection, is_loaded).Run();
}

}  // namespace thalweg::lod
