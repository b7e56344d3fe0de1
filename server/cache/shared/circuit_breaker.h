// Keeps callers away from a server that fails (Nygard, Release It!, 2007).
#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <utility>

namespace thalweg::cache {

struct CircuitBreakerOptions {
  // The breaker opens after this number of failures in a row.
  int failures = 3;
  // How long it stays open before one caller may try again.
  std::chrono::milliseconds pause{5000};
};

// Thread-safe. A closed breaker lets all callers through, an open one none. After the pause it lets
// one through at a time, until one succeeds.
class CircuitBreaker {
 public:
  using Clock = std::chrono::steady_clock;

  explicit CircuitBreaker(const CircuitBreakerOptions& options,
                          std::function<Clock::time_point()> now = &Clock::now)
      : options_(options), now_(std::move(now)) {}

  // Whether to try. A caller that was let through must report the outcome by Succeeded or Failed.
  bool Allow();
  void Succeeded();
  void Failed();

  // False from the failure that opened it until the next success.
  bool closed() const;

 private:
  const CircuitBreakerOptions options_;
  const std::function<Clock::time_point()> now_;

  mutable std::mutex mutex_;
  int failures_ = 0;
  bool probing_ = false;
  Clock::time_point retry_at_;
};

}  // namespace thalweg::cache
