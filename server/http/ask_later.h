// Requests that wait for a place in a queue.
#pragma once

#include <chrono>

#include "absl/status/status.h"
#include "server/http/site.h"

namespace thalweg::http {

// Calls `again` on the exchange's thread after the delay that a refusal named. Map clients never
// ask again for what was refused, so the request waits here. When its time is over, its caller gets
// the refusal.
void AskLater(const ExchangePointer& exchange, std::chrono::milliseconds delay,
              const absl::Status& refusal, Work again);

}  // namespace thalweg::http
