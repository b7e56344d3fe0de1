#include "proto/geometry/selection.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "proto/geometry/tile_tree.h"

namespace thalweg::lod {
namespace {

constexpr double kLatticeCells = 1.0 / 64;

}  // namespace

Forecast ForecastOf(const WorldGrid& grid, const wire::TileKey& key, FactsOf facts_of) {
  wire::TileKey known = key;
  const TileFacts* facts = facts_of(known);
  while (facts == nullptr && known.level > 0) {
    known = ParentOf(known);
    facts = facts_of(known);
  }
  const double strayed = facts != nullptr && known.level > 0 ? facts->geometric_error * kHeightUnitM
                                                             : CellSizeM(grid, known.level);
  const double expected = std::ldexp(strayed, known.level - key.level - 1);
  Forecast forecast;
  forecast.error_m = std::max(expected, kLatticeCells * CellSizeM(grid, key.level));
  if (facts != nullptr) {
    forecast.has_heights = true;
    forecast.min_height_m = facts->min_height * kHeightUnitM;
    forecast.max_height_m = facts->max_height * kHeightUnitM;
  }
  return forecast;
}

using wire::TileKey;

// Makes one selection.
class Selector {
 public:
  Selector(const View& view, const WorldGrid& grid, FactsOf facts_of)
      : view_(view),
        grid_(grid),
        surface_(SurfaceOf(grid)),
        facts_of_(facts_of),
        eye_height_m_(surface_->HeightOf(view.position)),
        roots_(RootsOf(view, *surface_)),
        viewer_(ViewerOf(view, *surface_, LowestOf(roots_))),
        pixels_(PixelsPerRadian(view)),
        unrestricted_(static_cast<std::size_t>(grid.levels)) {
    selection_.grid_ = grid;
  }

  Selection Run() {
    for (const TileKey& root : roots_) Add(root);
    // Tiles that Restrict adds may have to be split themselves.
    do {
      Refine();
    } while (Restrict());
    Promote();
    Sort();
    return std::move(selection_);
  }

 private:
  static std::vector<TileKey> RootsOf(const View& view, const Surface& surface) {
    const double max_m = kMaxRangeTiles * TileSizeM(surface.grid(), 0);
    return surface.RootsWithin(view.position, std::min(view.range_m, max_m));
  }

  // The lowest ground among the roots; nothing until all of them are known.
  std::optional<double> LowestOf(const std::vector<TileKey>& roots) const {
    double lowest_m = std::numeric_limits<double>::infinity();
    for (const TileKey& root : roots) {
      const Forecast forecast = ForecastOf(grid_, root, facts_of_);
      if (!forecast.has_heights) return std::nullopt;
      lowest_m = std::min(lowest_m, forecast.min_height_m);
    }
    return lowest_m;
  }

  // A plane has the same limits of coordinates at every level: coarse tiles far out lack children.
  bool HasChildren(const TileKey& key) const {
    const auto children = ChildrenOf(key);
    return surface_->Check(children.front()).ok() && surface_->Check(children.back()).ok();
  }

  // Adds a tile to the selection, and decides whether it should be split.
  void Add(const TileKey& key) {
    const Forecast forecast = ForecastOf(grid_, key, facts_of_);
    // Unknown heights may be anything, even the eye's own.
    const Heights heights = forecast.has_heights
                                ? Heights{forecast.min_height_m, forecast.max_height_m}
                                : Heights{eye_height_m_, eye_height_m_};
    const Sight sight = surface_->SightOf(key, heights, viewer_);
    Wanted wanted{.key = key, .distance_m = sight.distance_m};
    if (!forecast.has_heights || sight.may_show) wanted.need = Need::kInView;
    const double tolerance =
        view_.tolerated_error_px * (wanted.need == Need::kInView ? 1 : kAroundTolerance);
    wanted.split = forecast.error_m * pixels_ > tolerance * wanted.distance_m &&
                   sight.horizontal_m <= view_.range_m && HasChildren(key);
    selection_.indices_.emplace(key, selection_.tiles_.size());
    selection_.tiles_.push_back(wanted);
    has_children_.push_back(false);
  }

  // Splits the tiles that were added since the last call. It goes level by level, so that the limit
  // leaves out the finest.
  void Refine() {
    for (; refined_ < selection_.tiles_.size(); ++refined_) {
      Wanted& tile = selection_.tiles_[refined_];
      // Tiles that Restrict has split stay split, despite the limit: their children are there.
      tile.split = has_children_[refined_] || (tile.split && split_count_ < kMaxSplits);
      if (tile.split) Split(refined_);
    }
  }

  void Split(std::size_t index) {
    selection_.tiles_[index].split = true;
    if (has_children_[index]) return;
    has_children_[index] = true;
    ++split_count_;
    // A copy, because the tiles move when children are added.
    const TileKey key = selection_.tiles_[index].key;
    unrestricted_[static_cast<std::size_t>(key.level)].push_back(key);
    for (const TileKey& child : ChildrenOf(key)) Add(child);
  }

  bool IsSplit(const TileKey& key) const {
    const auto found = selection_.indices_.find(key);
    return found != selection_.indices_.end() && has_children_[found->second];
  }

  // A split tile's children touch tiles around it, which therefore must exist on the split tile's
  // level: the tiles that cover them are split too. Returns false if nothing changed.
  bool Restrict() {
    std::vector<std::vector<TileKey>> demanded(unrestricted_.size());
    // Splits are found from fine to coarse, because a split requires only coarser ones. They are
    // made from coarse to fine, parents before children.
    for (std::size_t level = unrestricted_.size(); level-- > 1;) {
      absl::flat_hash_set<TileKey> known;
      for (const auto* splits : {&unrestricted_[level], &demanded[level]}) {
        for (const TileKey& split : *splits) {
          for (const TileKey& parent : surface_->ParentsAround(split)) {
            if (IsSplit(parent) || !selection_.indices_.contains(AncestorOf(parent, 0))) continue;
            if (known.insert(parent).second) demanded[level - 1].push_back(parent);
          }
        }
      }
    }
    bool changed = false;
    for (const auto& level : demanded) {
      for (const TileKey& key : level) {
        Split(selection_.indices_.at(key));
        changed = true;
      }
    }
    // The splits that these demand were demanded in the same pass.
    for (auto& level : unrestricted_) level.clear();
    return changed;
  }

  // A tile can't be drawn before its siblings and all tiles that touch its parent are loaded.
  void Promote() {
    std::vector<bool> promoted(selection_.tiles_.size());
    for (int level = grid_.levels; level-- > 1;) {
      for (const Wanted& tile : selection_.tiles_) {
        if (tile.need != Need::kInView || tile.key.level != level) continue;
        const TileKey parent = ParentOf(tile.key);
        const std::size_t index = selection_.indices_.at(parent);
        if (promoted[index]) continue;
        promoted[index] = true;
        selection_.tiles_[index].need = Need::kInView;
        for (const TileKey& sibling : ChildrenOf(parent)) MakeUrgent(sibling);
        for (const TileKey& touching : surface_->TouchingOf(parent)) MakeUrgent(touching);
      }
    }
  }

  void MakeUrgent(const TileKey& key) {
    const auto found = selection_.indices_.find(key);
    if (found != selection_.indices_.end()) {
      selection_.tiles_[found->second].need = Need::kInView;
    }
  }

  void Sort() {
    std::sort(selection_.tiles_.begin(), selection_.tiles_.end(),
              [](const Wanted& a, const Wanted& b) {
                return std::tie(a.need, a.key.level, a.distance_m, a.key) <
                       std::tie(b.need, b.key.level, b.distance_m, b.key);
              });
    for (std::size_t n = 0; n < selection_.tiles_.size(); ++n) {
      selection_.indices_[selection_.tiles_[n].key] = n;
    }
  }

  const View& view_;
  const WorldGrid& grid_;
  const std::unique_ptr<const Surface> surface_;
  const FactsOf facts_of_;
  const double eye_height_m_;
  const std::vector<TileKey> roots_;
  const Viewer viewer_;
  const double pixels_;
  Selection selection_;
  // By index among the tiles: whether the four children are in the selection.
  std::vector<bool> has_children_;
  // By level: tiles that were split since the tree was last restricted.
  std::vector<std::vector<TileKey>> unrestricted_;
  std::size_t split_count_ = 0;
  // The number of tiles that Refine has looked at.
  std::size_t refined_ = 0;
};

Selection Selection::Of(const View& view, const WorldGrid& grid, FactsOf facts_of) {
  return Selector(view, grid, facts_of).Run();
}

const Wanted* Selection::Find(const TileKey& key) const {
  const auto found = indices_.find(key);
  return found == indices_.end() ? nullptr : &tiles_[found->second];
}

}  // namespace thalweg::lod
