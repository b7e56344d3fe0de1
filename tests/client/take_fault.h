// Faults of a fake server: a test sets how many there are.
#pragma once

#include <atomic>

namespace thalweg::client_test {

// Decrements a count of faults. False if it is 0.
inline bool TakeFault(std::atomic<int>& count) {
  int left = count.load();
  while (left > 0) {
    if (count.compare_exchange_weak(left, left - 1)) return true;
  }
  return false;
}

}  // namespace thalweg::client_test
