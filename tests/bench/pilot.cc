#include "tests/bench/pilot.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

namespace thalweg::bench {
namespace {

// Tiles that are more than this many of their sides away count as behind. No view needs such tiles.
constexpr double kSidesKept = 12;

constexpr double kFovDeg = 60;
constexpr double kRangeM = 20'000;

wire::TileKey KeyOf(const v1::TileKey& key) {
  return {static_cast<int>(key.face()), static_cast<int>(key.level()), key.x(), key.y()};
}

v1::TileKey MessageOf(const wire::TileKey& key) {
  v1::TileKey message;
  message.set_level(static_cast<std::uint32_t>(key.level));
  message.set_x(key.x);
  message.set_y(key.y);
  return message;
}

}  // namespace

v1::View Leg::StandingAt(double seconds_out) const {
  const double way = speed_m_s * seconds_out;
  v1::View view;
  view.mutable_position_m()->set_east(way * std::sin(heading_rad));
  view.mutable_position_m()->set_south(-way * std::cos(heading_rad));
  view.mutable_position_m()->set_up(height_m);
  view.mutable_direction()->set_east(std::sin(heading_rad));
  view.mutable_direction()->set_south(-std::cos(heading_rad));
  view.mutable_direction()->set_up(-0.3);
  view.set_vertical_fov_deg(kFovDeg);
  view.set_aspect(16.0 / 9);
  view.set_viewport_height_px(1080);
  view.set_tolerated_error_px(1);
  view.set_range_m(kRangeM);
  return view;
}

v1::View Leg::ViewAt(double seconds_flown) const {
  const double in_lap = std::fmod(seconds_flown, 2 * seconds);
  const bool out = in_lap < seconds;
  v1::View view = StandingAt(out ? in_lap : 2 * seconds - in_lap);
  const double sign = out ? 1 : -1;
  v1::Vector& direction = *view.mutable_direction();
  direction.set_east(sign * direction.east());
  direction.set_south(sign * direction.south());
  view.mutable_velocity_m_s()->set_east(speed_m_s * direction.east());
  view.mutable_velocity_m_s()->set_south(speed_m_s * direction.south());
  view.set_lookahead_s(4);
  return view;
}

Pilot::Pilot(const std::string& address, const std::string& world, std::uint32_t credit_tiles)
    : credit_tiles_(credit_tiles) {
  grpc::ChannelArguments arguments;
  // Each pilot has its own connection, like clients on many machines.
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  stub_ = v1::TerrainService::NewStub(
      grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(), arguments));
  stub_->async()->Session(&context_, this);
  // The hold keeps the call open: until the end, any thread may write with Send.
  AddHold();
  v1::SessionRequest open;
  open.mutable_open()->set_world(world);
  v1::SessionRequest credit;
  credit.mutable_credit()->set_tiles(credit_tiles);
  credit.mutable_credit()->set_bytes(std::uint64_t{1} << 47);
  const std::lock_guard lock(mutex_);
  Send(std::move(open));
  Send(std::move(credit));
  StartRead(&response_);
  StartCall();
}

Pilot::~Pilot() {
  context_.TryCancel();
  {
    const std::lock_guard lock(mutex_);
    Release();
  }
  done_.get_future().wait();
}

void Pilot::Release() {
  if (!std::exchange(released_, true)) RemoveHold();
}

void Pilot::Send(v1::SessionRequest request) {
  if (released_) return;
  queue_.push_back(std::move(request));
  if (queue_.size() == 1) StartWrite(&queue_.front());
}

void Pilot::OnWriteDone(bool ok) {
  const std::lock_guard lock(mutex_);
  queue_.pop_front();
  if (!ok) queue_.clear();
  if (!queue_.empty()) StartWrite(&queue_.front());
}

void Pilot::OnReadDone(bool ok) {
  const std::lock_guard lock(mutex_);
  if (!ok) {
    Release();
    return;
  }
  if (response_.has_opened()) {
    grid_ = {.cell_size_m = response_.opened().cell_size_m(),
             .levels = static_cast<int>(response_.opened().levels())};
  } else if (response_.has_tile()) {
    TakeTile(KeyOf(response_.tile().key()));
  } else if (response_.has_failed()) {
    ++log_.failed;
  } else if (response_.has_settled()) {
    settled_id_ = response_.settled().view_id();
    ++log_.settled;
    changed_.notify_all();
  }
  StartRead(&response_);
}

void Pilot::OnDone(const grpc::Status& status) {
  {
    const std::lock_guard lock(mutex_);
    ended_ = status;
    changed_.notify_all();
  }
  done_.set_value();
}

void Pilot::TakeTile(const wire::TileKey& key) {
  ++log_.tiles;
  had_[key] = ++arrivals_;
  if (probed_ == key) {
    const std::chrono::duration<double, std::milli> waited = Clock::now() - probed_at_;
    log_.latencies_ms.push_back(waited.count());
    probed_.reset();
  }
  if (++to_grant_ * 4 < credit_tiles_) return;
  v1::SessionRequest credit;
  credit.mutable_credit()->set_tiles(std::exchange(to_grant_, 0));
  Send(std::move(credit));
}

void Pilot::Look(v1::View view) {
  const std::lock_guard lock(mutex_);
  view.set_id(++view_id_);
  v1::SessionRequest request;
  *request.mutable_view() = std::move(view);
  Send(std::move(request));
}

void Pilot::DropBehind(double east_m, double south_m) {
  const std::lock_guard lock(mutex_);
  v1::SessionRequest request;
  absl::erase_if(had_, [&](const auto& entry) {
    const lod::Box box = lod::BoxOf(grid_, entry.first, 0, 0);
    if (lod::HorizontalDistanceTo(box, {east_m, south_m, 0}) <
        kSidesKept * lod::TileSizeM(grid_, entry.first.level)) {
      return false;
    }
    *request.mutable_drop()->add_keys() = MessageOf(entry.first);
    return true;
  });
  if (request.has_drop()) Send(std::move(request));
}

void Pilot::Probe() {
  const std::lock_guard lock(mutex_);
  if (probed_ || had_.empty()) return;
  // Of the finest tiles, takes the one that came first, since it is probably not needed now.
  const auto best = std::min_element(had_.begin(), had_.end(), [](const auto& a, const auto& b) {
    return std::tuple(-a.first.level, a.second) < std::tuple(-b.first.level, b.second);
  });
  probed_ = best->first;
  had_.erase(best);
  v1::SessionRequest drop;
  *drop.mutable_drop()->add_keys() = MessageOf(*probed_);
  v1::SessionRequest want;
  *want.mutable_want()->add_keys() = MessageOf(*probed_);
  probed_at_ = Clock::now();
  Send(std::move(drop));
  Send(std::move(want));
}

bool Pilot::AwaitSettled(std::chrono::seconds timeout) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, timeout, [this] { return ended_ || settled_id_ == view_id_; }) &&
         !ended_;
}

PilotLog Pilot::TakeLog() {
  const std::lock_guard lock(mutex_);
  return std::exchange(log_, {});
}

std::optional<grpc::Status> Pilot::ended() const {
  const std::lock_guard lock(mutex_);
  return ended_;
}

}  // namespace thalweg::bench
