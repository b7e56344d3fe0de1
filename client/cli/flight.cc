#include "client/cli/flight.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <set>
#include <thread>

#include "absl/strings/str_cat.h"

namespace thalweg::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kFramesPerSecond = 60;
constexpr std::size_t kMaxIntervals = 600;
// The flight keeps its height above the ground this far ahead, and follows it at this rate.
constexpr double kGroundAheadS = 1;
constexpr double kFollowPerS = 2;

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// The camera along its path.
class Path {
 public:
  Path(const TerrainView& view, const FlyArguments& arguments)
      : view_(view), arguments_(arguments) {
    const double heading = arguments.heading_deg * std::numbers::pi / 180;
    forward_ = {.east = std::sin(heading), .south = -std::cos(heading)};
    camera_.position_m = {arguments.x_m, arguments.y_m, arguments.height_m};
    camera_.velocity_m_s = {.east = arguments.speed_m_s * forward_.east,
                            .south = arguments.speed_m_s * forward_.south};
    // Looks a little downward.
    camera_.direction = {forward_.east, forward_.south, -0.2};
    camera_.viewport_height_px = arguments.viewport_px;
    camera_.tolerated_error_px = arguments.tolerance_px;
    camera_.range_m = arguments.range_m;
  }

  const Camera& camera() const { return camera_; }

  // Moves the camera to its position at a time of the flight. The previous frame was since_last_s
  // ago.
  void MoveTo(double seconds, double since_last_s) {
    const double way = arguments_.speed_m_s * seconds;
    camera_.position_m.east = arguments_.x_m + way * forward_.east;
    camera_.position_m.south = arguments_.y_m + way * forward_.south;
    Follow(std::min(1.0, kFollowPerS * since_last_s));
  }

  // Moves up or down towards the height above the ground.
  void Follow(double share) {
    const Vector3& at = camera_.position_m;
    const Vector3& speed = camera_.velocity_m_s;
    const auto here = view_.HeightAt(at.east, at.south);
    if (!here) return;
    const double ahead =
        view_.HeightAt(at.east + kGroundAheadS * speed.east, at.south + kGroundAheadS * speed.south)
            .value_or(*here);
    const double wanted = std::max(*here, ahead) + arguments_.height_m;
    const double min = *here + 0.25 * arguments_.height_m;
    camera_.position_m.up = std::max(at.up + share * (wanted - at.up), min);
  }

  void Stop() { camera_.velocity_m_s = {}; }

 private:
  const TerrainView& view_;
  const FlyArguments& arguments_;
  Vector3 forward_;
  Camera camera_;
};

// Draws frames and records their statistics.
class Flight {
 public:
  Flight(TerrainView& view, const FlyArguments& arguments, const FlightProgress& progress)
      : view_(view), arguments_(arguments), progress_(progress), path_(view, arguments) {
    interval_s_ = std::max(1.0, arguments.seconds / kMaxIntervals);
  }

  absl::StatusOr<FlightReport> Run() {
    if (absl::Status reached = ReachFirst(); !reached.ok()) return reached;
    report_.begin_m = path_.camera().position_m;
    const TerrainStatistics before = view_.Statistics();
    Fly();
    const TerrainStatistics after = view_.Statistics();
    report_.needed = after.tiles_needed - before.tiles_needed;
    report_.in_time = after.tiles_in_time - before.tiles_in_time;
    report_.end_m = path_.camera().position_m;
    Stop();
    Sum();
    return std::move(report_);
  }

 private:
  // Takes the set of tiles for a frame.
  FrameChanges Frame() {
    const Clock::time_point begin = Clock::now();
    const absl::Status set = view_.SetCamera(path_.camera());
    if (!set.ok()) failure_ = set;
    FrameChanges changes = view_.Update();
    frame_us_.push_back(1e6 * SecondsSince(begin));
    for (const ArrivedTile& tile : changes.arrived) Count(tile);
    if (changes.any()) is_whole_ = IsWithoutCracks(view_.drawn());
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
        path_.Follow(1);
        report_.first_complete_s = SecondsSince(begin);
        return absl::OkStatus();
      }
      view_.Wait(std::chrono::milliseconds(100));
    }
    return absl::DeadlineExceededError(
        absl::StrCat("fly over '", arguments_.world, "': expected a ",
                     arguments_.from_finest ? "finest" : "complete", " set of tiles within ",
                     arguments_.patience_s, " s, got one that lacks ",
                     view_.Statistics().tiles_missing, " tiles: choose a longer --patience"));
  }

  void Fly() {
    frame_us_.clear();
    const Clock::time_point begin = Clock::now();
    const auto frame_time = std::chrono::duration_cast<Clock::duration>(
        std::chrono::duration<double>(1 / kFramesPerSecond));
    Clock::time_point next = begin;
    double last = 0;
    double now = 0;
    while (now < arguments_.seconds && view_.status().ok()) {
      path_.MoveTo(now, now - last);
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
    report_.flown_s = now;
    report_.flown_m = now * arguments_.speed_m_s;
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
    path_.Stop();
    path_.Follow(1);
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
  const FlyArguments& arguments_;
  const FlightProgress& progress_;
  Path path_;
  double interval_s_ = 1;
  absl::Status failure_;
  bool is_whole_ = true;
  FlightInterval interval_;
  std::vector<double> waited_ms_;
  std::vector<double> frame_us_;
  FlightReport report_;
};

TileKey Parent(const TileKey& key) { return {key.level - 1, key.x >> 1, key.y >> 1}; }

}  // namespace

Percentiles Percentiles::Of(std::vector<double> values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  const auto at = [&](double share) {
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
  };
  return {at(0.5), at(0.95), values.back()};
}

bool IsWithoutCracks(const std::vector<DrawnTile>& tiles) {
  std::set<TileKey> drawn;
  // Tiles that are drawn as finer tiles.
  std::set<TileKey> split;
  for (const DrawnTile& tile : tiles) {
    if (!drawn.insert(tile.key).second) return false;
    for (TileKey key = tile.key; key.level > 0;) {
      key = Parent(key);
      if (!split.insert(key).second) break;
    }
  }
  for (const TileKey& key : drawn) {
    if (split.contains(key)) return false;  // drawn twice
    if (key.level < 2) continue;
    for (std::int64_t south = -1; south <= 1; ++south) {
      for (std::int64_t east = -1; east <= 1; ++east) {
        // A neighbour is at most one level coarser, so the ground of this parent must be drawn, as
        // one tile or as finer tiles.
        const TileKey beside = Parent({key.level, key.x + east, key.y + south});
        if (drawn.contains(beside) || split.contains(beside)) continue;
        for (TileKey cover = beside; cover.level > 0;) {
          cover = Parent(cover);
          if (drawn.contains(cover)) return false;
          // Drawn as finer tiles, which leave a gap here.
          if (split.contains(cover)) return false;
        }
      }
    }
  }
  // Every split tile must have all four children.
  for (const TileKey& key : split) {
    for (const std::int64_t part : {0, 1, 2, 3}) {
      const TileKey child{key.level + 1, 2 * key.x + part % 2, 2 * key.y + part / 2};
      if (!drawn.contains(child) && !split.contains(child)) return false;
    }
  }
  return true;
}

absl::StatusOr<FlightReport> FlyView(TerrainView& view, const FlyArguments& arguments,
                                     const FlightProgress& progress) {
  return Flight(view, arguments, progress).Run();
}

}  // namespace thalweg::cli
