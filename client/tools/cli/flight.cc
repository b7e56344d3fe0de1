#include "client/tools/cli/flight.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>
#include <thread>

#include "absl/strings/str_cat.h"
#include "proto/geometry/tile_tree.h"

namespace thalweg::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kFramesPerSecond = 60;
constexpr std::size_t kMaxIntervals = 600;

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::unique_ptr<const lod::Surface> SurfaceOf(const WorldInfo& world) {
  return lod::SurfaceOf(
      {.cell_size_m = world.cell_size_m, .levels = world.levels, .radius_m = world.radius_m});
}

// Draws frames and records their statistics.
class Flight {
 public:
  Flight(TerrainView& view, FlightCamera& camera, const FlyArguments& arguments,
         const FlightProgress& progress)
      : view_(view),
        camera_(camera),
        arguments_(arguments),
        progress_(progress),
        surface_(SurfaceOf(view.world())),
        interval_s_(std::max(1.0, camera.seconds() / kMaxIntervals)) {}

  absl::StatusOr<FlightReport> Run() {
    if (absl::Status reached = ReachFirst(); !reached.ok()) return reached;
    report_.begin_m = camera_.camera().position_m;
    const TerrainStatistics before = view_.Statistics();
    Fly();
    if (!failure_.ok()) return failure_;
    const TerrainStatistics after = view_.Statistics();
    report_.needed = after.tiles_needed - before.tiles_needed;
    report_.in_time = after.tiles_in_time - before.tiles_in_time;
    report_.end_m = camera_.camera().position_m;
    Stop();
    Sum();
    return std::move(report_);
  }

 private:
  // Takes the set of tiles for a frame.
  FrameChanges Frame() {
    const Clock::time_point begin = Clock::now();
    const absl::Status set = view_.SetCamera(camera_.camera());
    if (!set.ok()) failure_ = set;
    FrameChanges changes = view_.Update();
    frame_us_.push_back(1e6 * SecondsSince(begin));
    for (const ArrivedTile& tile : changes.arrived) Count(tile);
    if (changes.any()) is_whole_ = IsWithoutCracks(view_.drawn(), *surface_);
    return changes;
  }

  void Count(const ArrivedTile& tile) {
    const auto level = static_cast<std::size_t>(tile.key.level);
    if (report_.tiles_by_level.size() <= level) report_.tiles_by_level.resize(level + 1);
    ++report_.tiles_by_level[level];
    if (tile.waited.count() > 0) {
      waited_ms_.push_back(static_cast<double>(tile.waited.count()) / 1e3);
    }
    if (tile.source != TileSource::kServer) return;
    ++interval_.tiles;
    interval_.wire_bytes += tile.wire_bytes;
  }

  absl::Status ReachFirst() {
    const Clock::time_point begin = Clock::now();
    while (SecondsSince(begin) < arguments_.patience_s) {
      const FrameChanges changes = Frame();
      const bool complete = arguments_.from_finest ? changes.finest : changes.complete;
      if (!failure_.ok()) return failure_;
      if (absl::Status status = view_.status(); !status.ok()) return status;
      // New ground may lift the camera, which then needs other tiles.
      if (complete) {
        camera_.Follow(1);
        report_.first_complete_s = SecondsSince(begin);
        return absl::OkStatus();
      }
      view_.Wait(std::chrono::milliseconds(100));
    }
    return absl::DeadlineExceededError(absl::StrCat(
        "fly over '", arguments_.world, "': after ", arguments_.patience_s, " s the ",
        arguments_.from_finest ? "finest" : "complete", " set of tiles still lacks ",
        view_.Statistics().tiles_missing, " of its tiles: choose a longer --patience"));
  }

  void Fly() {
    frame_us_.clear();
    const Clock::time_point begin = Clock::now();
    const auto frame_time = std::chrono::duration_cast<Clock::duration>(
        std::chrono::duration<double>(1 / kFramesPerSecond));
    Clock::time_point next = begin;
    double last = 0;
    double now = 0;
    while (now < camera_.seconds() && failure_.ok() && view_.status().ok()) {
      camera_.MoveTo(now, now - last);
      Record(now, Frame());
      last = now;
      next += frame_time;
      if (Clock::now() > next + frame_time) {
        ++report_.late;
        next = Clock::now();
      }
      std::this_thread::sleep_until(next);
      now = SecondsSince(begin);
    }
    camera_.MoveTo(now, now - last);
    report_.flown_s = now;
    report_.flown_m = camera_.flown_m();
    EndInterval();
  }

  void Record(double now, const FrameChanges& changes) {
    if (now >= interval_.begin_s + interval_s_) {
      EndInterval();
      interval_.begin_s = std::floor(now / interval_s_) * interval_s_;
    }
    ++interval_.frames;
    ++report_.frames;
    if (!is_whole_) ++report_.cracked;
    if (!changes.complete || !is_whole_) return;
    ++interval_.complete;
    ++report_.complete;
    if (!changes.finest) return;
    ++interval_.finest;
    ++report_.finest;
  }

  void EndInterval() {
    interval_.drawn = view_.drawn().size();
    interval_.missing = view_.Statistics().tiles_missing;
    for (const DrawnTile& tile : view_.drawn()) {
      interval_.finest_level = std::max(interval_.finest_level, tile.key.level);
    }
    report_.intervals.push_back(interval_);
    if (progress_) progress_(interval_);
    interval_ = {};
  }

  void Stop() {
    camera_.Stop();
    camera_.Follow(1);
    const Clock::time_point begin = Clock::now();
    while (SecondsSince(begin) < arguments_.patience_s && view_.status().ok()) {
      const FrameChanges changes = Frame();
      for (const ArrivedTile& tile : changes.arrived) {
        ++report_.tiles_after_stop;
        if (tile.waited.count() > 0) ++report_.needed_after_stop;
      }
      if (changes.finest) {
        report_.finest_after_s = SecondsSince(begin);
        break;
      }
      view_.Wait(std::chrono::milliseconds(100));
    }
  }

  void Sum() {
    report_.waited_ms = Percentiles::Of(std::move(waited_ms_));
    report_.frame_us = Percentiles::Of(std::move(frame_us_));
    for (const DrawnTile& tile : view_.drawn()) {
      const auto level = static_cast<std::size_t>(tile.key.level);
      if (report_.drawn_by_level.size() <= level) report_.drawn_by_level.resize(level + 1);
      ++report_.drawn_by_level[level];
    }
    report_.statistics = view_.Statistics();
    const double raw = 2.0 * kTileVertices * kTileVertices *
                       static_cast<double>(report_.statistics.tiles_received);
    if (raw > 0) {
      report_.wire_share_of_raw = static_cast<double>(report_.statistics.wire_bytes) / raw;
    }
  }

  TerrainView& view_;
  FlightCamera& camera_;
  const FlyArguments& arguments_;
  const FlightProgress& progress_;
  const std::unique_ptr<const lod::Surface> surface_;
  const double interval_s_;
  absl::Status failure_;
  bool is_whole_ = true;
  FlightInterval interval_;
  std::vector<double> waited_ms_;
  std::vector<double> frame_us_;
  FlightReport report_;
};

}  // namespace

bool IsWithoutCracks(const std::vector<DrawnTile>& tiles, const lod::Surface& surface) {
  using Key = wire::TileKey;
  std::set<Key> drawn;
  // Tiles that are drawn as finer tiles.
  std::set<Key> split;
  for (const DrawnTile& tile : tiles) {
    Key key{tile.key.face, tile.key.level, tile.key.x, tile.key.y};
    if (!drawn.insert(key).second) return false;
    while (key.level > 0) {
      key = lod::ParentOf(key);
      if (!split.insert(key).second) break;
    }
  }
  const auto is_covered = [&](const Key& key) {
    return drawn.contains(key) || split.contains(key);
  };
  for (const Key& key : drawn) {
    if (split.contains(key)) return false;  // drawn twice
    if (key.level == 0) continue;
    // A neighbour is no more than one level coarser, so the ground of each of these must be drawn,
    // as one tile or as finer tiles.
    for (const Key& beside : surface.ParentsAround(key)) {
      if (!lod::IsTile(beside) || is_covered(beside)) continue;
      for (Key cover = beside; cover.level > 0;) {
        cover = lod::ParentOf(cover);
        // Drawn as one coarser tile, or as finer tiles that leave a gap here.
        if (is_covered(cover)) return false;
      }
    }
  }
  // Every split tile must have all four children.
  for (const Key& key : split) {
    for (const Key& child : lod::ChildrenOf(key)) {
      if (!is_covered(child)) return false;
    }
  }
  return true;
}

Percentiles Percentiles::Of(std::vector<double> values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  const auto at = [&](double share) {
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
  };
  return {at(0.5), at(0.95), values.back()};
}

absl::StatusOr<FlightReport> FlyView(TerrainView& view, FlightCamera& camera,
                                     const FlyArguments& arguments,
                                     const FlightProgress& progress) {
  return Flight(view, camera, arguments, progress).Run();
}

}  // namespace thalweg::cli
