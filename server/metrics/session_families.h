// Metrics of sessions.
#pragma once

#include "server/metrics/families.h"
#include "server/session/session_counters.h"

namespace thalweg::metrics {

void AddSessions(const session::SessionCounters& counters, Families& families);

}  // namespace thalweg::metrics
