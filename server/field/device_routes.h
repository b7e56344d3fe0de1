// Which of several devices computes a block.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

#include "server/world/block.h"

namespace thalweg::field {

// Thread-safe. A block's ancestor at an even level, one or two levels up, decides: siblings share a
// device, and only the few blocks above are computed by several devices. Neighbouring ancestors
// take turns, so that a view's blocks are spread evenly. When a device is given up, only its blocks
// move to the others, evenly, by rendezvous hashing (Thaler & Ravishankar 1998).
class DeviceRoutes {
 public:
  using Clock = std::chrono::steady_clock;

  // How long a device that was given up is not used, before it is tried again.
  static constexpr std::chrono::seconds kRest{30};

  explicit DeviceRoutes(std::size_t devices, std::function<Clock::time_point()> now = &Clock::now)
      : now_(std::move(now)), given_up_(devices) {}

  // The device's index: one that is not given up, unless all are.
  std::size_t DeviceOf(std::string_view world_id, const world::BlockKey& block) const;

  // Reports that a device does not work.
  void GiveUp(std::size_t device);

 private:
  const std::function<Clock::time_point()> now_;
  mutable std::mutex mutex_;
  // The time until which each device is not used.
  std::vector<Clock::time_point> given_up_;
};

}  // namespace thalweg::field
