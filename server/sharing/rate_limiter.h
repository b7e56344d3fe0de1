// A limit for units a second, on average.
#pragma once

#include <chrono>
#include <functional>

namespace thalweg::sharing {

using Time = std::chrono::steady_clock::time_point;
// Returns the time. Tests have their own clocks.
using Clock = std::function<Time()>;

// A token bucket. `rate` units flow in each second, up to a second's worth or one unit, whichever
// is more. While it is not empty, units may be consumed, even more than it has, since a cost may be
// known only afterwards. That leaves a debt, which later time pays. Not thread-safe.
class RateLimiter {
 public:
  // Full at first. A rate of 0 means no limit.
  RateLimiter(double rate_per_s, Time now);

  // How long until units may be consumed: 0 for now, else at least a millisecond.
  std::chrono::milliseconds Wait(Time now);
  // Consumes units, even more than it has.
  void Consume(double units, Time now);
  // Whether it is as full as at first.
  bool IsFull(Time now);

 private:
  void Refill(Time now);

  const double rate_per_s_;
  const double capacity_;
  double level_;
  Time last_;
};

}  // namespace thalweg::sharing
