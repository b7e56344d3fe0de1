// A limit of units a second, on average.
#pragma once

#include <chrono>
#include <functional>

namespace thalweg::access {

using Time = std::chrono::steady_clock::time_point;
// Tells the time; tests have clocks of their own.
using Clock = std::function<Time()>;

// A token bucket: `rate` units flow in a second, up to a second's worth or one unit, whichever is
// more. While it is not empty, units may be taken, even more than it has, since a cost may be known
// only afterwards: that leaves a debt, which later time pays. Not thread-safe.
class RateLimiter {
 public:
  // Full at first. A rate of 0 is no limit.
  RateLimiter(double rate_per_s, Time now);

  // How long until units may be taken: 0 for now, else a millisecond or more.
  std::chrono::milliseconds Wait(Time now);
  // Takes units, even more than there are.
  void Take(double units, Time now);
  // Whether it is full, as at first.
  bool IsFull(Time now);

 private:
  void Refill(Time now);

  const double rate_per_s_;
  const double capacity_;
  double level_;
  Time last_;
};

}  // namespace thalweg::access
