#include "server/sharing/rate_limiter.h"

#include <algorithm>
#include <cmath>

namespace thalweg::sharing {

RateLimiter::RateLimiter(double rate_per_s, Time now)
    : rate_per_s_(rate_per_s),
      capacity_(std::max(rate_per_s, 1.0)),
      level_(capacity_),
      last_(now) {}

void RateLimiter::Refill(Time now) {
  // Threads may read the clock in one order and come here in another.
  if (now <= last_) return;
  const double seconds = std::chrono::duration<double>(now - last_).count();
  level_ = std::min(capacity_, level_ + seconds * rate_per_s_);
  last_ = now;
}

std::chrono::milliseconds RateLimiter::Wait(Time now) {
  if (rate_per_s_ <= 0) return std::chrono::milliseconds(0);
  Refill(now);
  if (level_ > 0) return std::chrono::milliseconds(0);
  // The max wait, a year: as good as for ever, and it fits every type.
  constexpr double kMaxMs = 366.0 * 86'400 * 1'000;
  const double wait_ms = std::floor(-level_ / rate_per_s_ * 1'000) + 1;
  return std::chrono::milliseconds(static_cast<std::int64_t>(std::min(wait_ms, kMaxMs)));
}

void RateLimiter::Consume(double units, Time now) {
  if (rate_per_s_ <= 0) return;
  Refill(now);
  level_ -= units;
}

bool RateLimiter::IsFull(Time now) {
  if (rate_per_s_ <= 0) return true;
  Refill(now);
  return level_ >= capacity_;
}

}  // namespace thalweg::sharing
