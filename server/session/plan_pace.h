// How often a session's plans are made.
#pragma once

#include <algorithm>
#include <chrono>

#include "server/sharing/rate_limiter.h"

namespace thalweg::session {

// The max number of plans in a second, also after a pause; and the max average part of a thread's
// time that plans may take.
inline constexpr double kPlansPerS = 60;
inline constexpr double kPlanShare = 0.5;

// A session's plan: it is scheduled, made, then followed; one at a time. Not thread-safe.
class PlanPace {
 public:
  explicit PlanPace(sharing::Time now) : rate_(kPlansPerS, now) {}

  // Whether no plan is scheduled, made or followed.
  bool IsIdle() const { return state_ == State::kIdle; }
  // Whether a plan is being made, or about to be.
  bool IsMaking() const { return state_ == State::kMaking; }

  // Returns the time when the next plan may be made.
  sharing::Time Schedule(sharing::Time now) {
    const sharing::Time at = now + rate_.Wait(now);
    state_ = at == now ? State::kMaking : State::kOnItsWay;
    return at;
  }
  void Begin(sharing::Time now) {
    begun_ = now;
    state_ = State::kMaking;
  }
  void Follow(sharing::Time now) {
    // A plan that takes longer than this counts as several plans.
    constexpr double kPlanSeconds = kPlanShare / kPlansPerS;
    rate_.Take(std::max(1.0, std::chrono::duration<double>(now - begun_).count() / kPlanSeconds),
               now);
    state_ = State::kOnItsWay;
  }
  void End() { state_ = State::kIdle; }

 private:
  enum class State {
    kIdle,
    // The plan waits for its time, and the one before it is followed; or it was made.
    kOnItsWay,
    kMaking,
  };

  sharing::RateLimiter rate_;
  sharing::Time begun_;
  State state_ = State::kIdle;
};

}  // namespace thalweg::session
