#include "server/cache/shared/circuit_breaker.h"

namespace thalweg::cache {

bool CircuitBreaker::Allow() {
  const std::lock_guard lock(mutex_);
  if (failures_ < options_.failures) return true;
  if (probing_ || now_() < retry_at_) return false;
  probing_ = true;
  return true;
}

void CircuitBreaker::Succeeded() {
  const std::lock_guard lock(mutex_);
  failures_ = 0;
  probing_ = false;
}

void CircuitBreaker::Failed() {
  const std::lock_guard lock(mutex_);
  // Calls that began before the breaker opened may fail later; they do not prolong the pause.
  if (failures_ >= options_.failures && !probing_) return;
  probing_ = false;
  if (failures_ < options_.failures) ++failures_;
  if (failures_ == options_.failures) retry_at_ = now_() + options_.pause;
}

bool CircuitBreaker::closed() const {
  const std::lock_guard lock(mutex_);
  return failures_ < options_.failures;
}

}  // namespace thalweg::cache
