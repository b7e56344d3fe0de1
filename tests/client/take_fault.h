// Faults that a test counts out to a fake server.
#pragma once

#include <atomic>

namespace thalweg::client_test {

// Takes one from a count of faults. True if there was one.
inline bool TakeFault(std::atomic<int>& count) {
  int left = count.load();
  while (left > 0) {
    if (count.compare_exchange_weak(left, left - 1)) return true;
  }
  return false;
}

}  // namespace thalweg::client_test
