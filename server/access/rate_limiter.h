// So much a second, on average.
#pragma once

#include <chrono>
#include <functional>

namespace thalweg::access {

using Time = std::chrono::steady_clock::time_point;
// Tells the time; tests have clocks of their own.
using Clock = std::function<Time()>;

// A token bucket: `rate` units flow in a second, up to a second's worth or one unit, whichever is
// more. Something may be taken while it is not empty, even more than there is: what costs more than
// is known beforehand leaves a debt that later time pays. Not thread-safe.
class RateLimiter {
 public:
  // Full at first. A rate of 0 is no limit.
  RateLimiter(double rate_per_s, Time now);

  // How long until something may be taken: 0 when it may be now, else a millisecond or more.
  std::chrono::milliseconds Wait(Time now);
  // Takes, whatever is there.
  void Take(double units, Time now);
  // Whether it is as it was at first: nothing is owed, and nothing missing.
  bool IsFull(Time now);

 private:
  void Refill(Time now);

  const double rate_per_s_;
  const double capacity_;
  double level_;
  Time last_;
};

}  // namespace thalweg::access
