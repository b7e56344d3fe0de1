#include "server/field/device_routes.h"

#include <cmath>
#include <optional>
#include <utility>

#include "absl/hash/hash.h"

namespace thalweg::field {
namespace {

// The blocks of two consecutive levels take their route from the same ancestor.
constexpr int kLevelsARoute = 2;

world::BlockKey RouteOf(const world::BlockKey& block) {
  if (block.level == 0) return block;
  const int up = (block.level - 1) % kLevelsARoute + 1;
  return {block.face, block.level - up, block.x >> up, block.y >> up};
}

// Devices take turns along each row, and each row begins some devices after the row before. So any
// square with as many ancestors as devices, or a few more, has work for all of them.
std::size_t TurnOf(const world::BlockKey& route, std::uint64_t offset, std::size_t devices) {
  const auto count = static_cast<std::int64_t>(devices);
  const auto step = static_cast<std::int64_t>(std::sqrt(static_cast<double>(devices)));
  const std::int64_t turn =
      route.x % count + step * (route.y % count) + static_cast<std::int64_t>(offset % devices);
  return static_cast<std::size_t>((turn % count + count) % count);
}

// SplitMix64's output function (Steele, Lea & Flood 2014): each bit of the number affects each bit
// of the result.
std::uint64_t Mixed(std::uint64_t number) {
  number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9;
  number = (number ^ (number >> 27)) * 0x94d049bb133111eb;
  return number ^ (number >> 31);
}

}  // namespace

std::size_t DeviceRoutes::DeviceOf(std::string_view world_id, const world::BlockKey& block) const {
  constexpr std::uint64_t kDeviceStep = 0x9e3779b97f4a7c15;
  const world::BlockKey ancestor = RouteOf(block);
  const std::uint64_t route = absl::HashOf(world_id, ancestor);
  const std::uint64_t offset = absl::HashOf(world_id, ancestor.face, ancestor.level);
  const Clock::time_point now = now_();
  const std::lock_guard lock(mutex_);
  const std::size_t turn = TurnOf(ancestor, offset, given_up_.size());
  if (given_up_[turn] <= now) return turn;
  struct Best {
    bool works = false;
    std::uint64_t weight = 0;
    std::size_t device = 0;
  };
  std::optional<Best> best;
  for (std::size_t device = 0; device < given_up_.size(); ++device) {
    const bool works = given_up_[device] <= now;
    const std::uint64_t weight = Mixed(route + (device + 1) * kDeviceStep);
    if (!best || std::pair(works, weight) > std::pair(best->works, best->weight)) {
      best = Best{works, weight, device};
    }
  }
  return best->device;
}

void DeviceRoutes::GiveUp(std::size_t device) {
  const std::lock_guard lock(mutex_);
  given_up_[device] = now_() + kRest;
}

}  // namespace thalweg::field
