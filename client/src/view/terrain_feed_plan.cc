// The part of TerrainFeed that chooses tiles, on its own thread.
#include <algorithm>
#include <utility>

#include "client/src/contract/messages.h"
#include "client/src/view/camera_planner.h"
#include "client/src/view/terrain_feed.h"
#include "proto/geometry/surface.h"
#include "proto/geometry/tile_tree.h"
#include "proto/wire/limits.h"

namespace thalweg {
namespace {

// A choice takes a few milliseconds, so one for every frame would be too many.
constexpr std::chrono::milliseconds kPlanPause{30};
// A server chooses again for every view.
constexpr std::chrono::milliseconds kViewPause{100};
constexpr std::chrono::milliseconds kIdlePause{1'000};
// Less than servers record, to leave room for tiles that are on their way.
constexpr std::size_t kMaxKnown = wire::kMaxHadTiles / 4 * 3;

}  // namespace

void TerrainFeed::PlanLoop() {
  Clock::time_point earliest;
  Clock::time_point latest = Clock::now();
  while (replan_.Await(earliest, latest)) {
    const std::lock_guard lock(mutex_);
    const Clock::time_point now = Clock::now();
    BreakIfSilent();
    // Makes the next plan send a new view, so that failed tiles are tried again.
    if (failed_.RemoveDue(now)) sent_camera_.reset();
    if (const auto camera = front_.camera()) Plan(*camera);
    earliest = now + kPlanPause;
    latest = now + kIdlePause;
    if (const auto soonest = failed_.soonest()) latest = std::clamp(*soonest, earliest, latest);
  }
}

void TerrainFeed::Plan(const NumberedCamera& camera) {
  const CameraPlan plan = planner_.Plan(
      camera.camera, grid_, [this](const wire::TileKey& key) { return known_.FactsOf(key); },
      [this](const wire::TileKey& key) { return memory_.Contains(key); });
  std::vector<wire::TileKey> wanted;
  wanted.reserve(plan.selection.tiles().size());
  for (const lod::Wanted& tile : plan.selection.tiles()) wanted.push_back(tile.key);
  needed_.Need(plan.selection, [this](const wire::TileKey& key) { return memory_.Contains(key); });
  Publish(camera, plan);
  memory_.Pin(wanted);
  std::vector<wire::TileKey> evicted = memory_.Evict();
  for (const wire::TileKey& key : evicted) needed_.Forget(key);
  statistics_.tiles_evicted += evicted.size();
  std::erase_if(evicted, [this](const wire::TileKey& key) {
    const KnownTile* known = known_.Find(key);
    return known != nullptr && known->on_disk;
  });
  Forget(evicted);
  GrantUsed();
  ForgetSuperfluous();
  NoteMissing(plan);
  SendView(camera, plan);
  AskForMissing(camera, plan);
}

void TerrainFeed::Publish(const NumberedCamera& camera, const CameraPlan& plan) {
  auto set = std::make_shared<DrawSet>();
  set->grid = grid_;
  set->camera = camera.camera;
  set->finest = plan.drawable.finest;
  set->tiles.reserve(plan.drawable.tiles.size());
  const auto surface = lod::SurfaceOf(grid_);
  for (const lod::Drawn& drawn : plan.drawable.tiles) {
    DrawnTile& tile = set->tiles.emplace_back();
    tile.key = ToPublic(drawn.key);
    tile.tile = memory_.Get(drawn.key);
    set->roots.insert(lod::AncestorOf(drawn.key, 0));
    const lod::Touching touching = surface->TouchingOf(drawn.key);
    for (std::size_t n = 0; n < touching.size(); ++n) {
      if (drawn.coarser[n]) tile.coarser[n] = memory_.Get(lod::ParentOf(touching[n]));
    }
  }
  // Until here the tiles of a planet are sorted by face.
  std::ranges::sort(set->tiles, {}, &DrawnTile::key);
  front_.Publish(std::move(set));
}

void TerrainFeed::NoteMissing(const CameraPlan& plan) {
  const Clock::time_point now = Clock::now();
  absl::flat_hash_map<wire::TileKey, Clock::time_point> missing;
  for (const lod::Wanted& tile : plan.selection.tiles()) {
    if (memory_.Contains(tile.key)) continue;
    const auto since = missing_.find(tile.key);
    missing.emplace(tile.key, since == missing_.end() ? now : since->second);
    // A tile on disk is read at once, without waiting until the server confirms it.
    KnownTile* known = known_.Find(tile.key);
    if (known != nullptr && known->on_disk) ReadFromDisk(*known);
  }
  missing_ = std::move(missing);
  statistics_.tiles_wanted = plan.selection.tiles().size();
  statistics_.tiles_missing = missing_.size();
  statistics_.tolerance_scale = plan.tolerance_scale;
}

void TerrainFeed::SendView(const NumberedCamera& camera, const CameraPlan& plan) {
  if (!opened_) return;
  const bool same = sent_camera_ == camera.number && sent_scale_ == plan.tolerance_scale &&
                    sent_room_ahead_ == plan.room_ahead;
  if (same) return;
  const Clock::time_point now = Clock::now();
  if (sent_camera_ && now < sent_at_ + kViewPause) {
    replan_.Wake();  // try again later
    return;
  }
  v1::SessionRequest request;
  *request.mutable_view() =
      ToMessage(plan.view, lod::ShapeOf(grid_), plan.room_ahead ? options_.lookahead_s : 0);
  request.mutable_view()->set_id(++view_id_);
  Send(std::move(request));
  // Silence counts from when an answer is due.
  if (settled_) last_heard_ = now;
  settled_ = false;
  asked_for_.clear();
  sent_camera_ = camera.number;
  sent_scale_ = plan.tolerance_scale;
  sent_room_ahead_ = plan.room_ahead;
  sent_at_ = now;
}

// Client and server choose the same tiles as long as they know the same tiles. The server does not
// send a tile again for the same view, even if the tile was dropped meanwhile or on its way. Such a
// tile is asked for by name.
void TerrainFeed::AskForMissing(const NumberedCamera& camera, const CameraPlan& plan) {
  // Only for exactly the view that has settled.
  if (!opened_ || !settled_ || sent_camera_ != camera.number) return;
  std::vector<wire::TileKey> unknown;
  for (const lod::Wanted& tile : plan.selection.tiles()) {
    if (!missing_.contains(tile.key) || failed_.Contains(tile.key)) continue;
    if (asked_for_.contains(tile.key)) continue;
    if (rules_.wanted() + unknown.size() >= wire::kMaxWantedTiles) break;
    const KnownTile* known = known_.Find(tile.key);
    if (known != nullptr && known->reading) continue;
    unknown.push_back(tile.key);
  }
  asked_for_.insert(unknown.begin(), unknown.end());
  for (v1::SessionRequest& request : WantMessages(unknown)) Send(std::move(request));
}

// A server can record only so many tiles, so some of those on disk are forgotten.
void TerrainFeed::ForgetSuperfluous() {
  if (known_.size() <= kMaxKnown) return;
  Forget(known_.OnDiskAlone(known_.size() - kMaxKnown + kMaxKnown / 8, memory_));
}

void TerrainFeed::BreakIfSilent() {
  if (opened_ && settled_) return;
  if (Clock::now() - last_heard_ < silence_) return;
  last_heard_ = Clock::now();
  session_->Break(absl::DeadlineExceededError("the server sent nothing in time"));
}

}  // namespace thalweg
