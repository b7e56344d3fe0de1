// When an operation of gRPC is given up.
#pragma once

#include <grpc/support/time.h>

#include <chrono>

namespace thalweg {

// A time to come, by the clock that nobody sets; far away if the duration is. A deadline by the
// system's clock is compared with that clock when an operation begins and, while a channel
// connects, again whenever its state changes: it would move if the clock were set meanwhile.
inline gpr_timespec DeadlineAfter(std::chrono::milliseconds duration) {
  return gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC),
                      gpr_time_from_millis(duration.count(), GPR_TIMESPAN));
}

}  // namespace thalweg
