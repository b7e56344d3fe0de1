// Requests of orchestrators and operators: /healthz, /readyz, /metrics.
#pragma once

#include "server/calls/admission.h"
#include "server/http/site.h"

namespace thalweg::http {

// Always 200.
void HandleHealth(Exchange& exchange);
// 200 while calls are let in; 503 when the server drains.
void HandleReady(const calls::CallGate& gate, Exchange& exchange);
void HandleMetrics(const Site& site, Exchange& exchange);

}  // namespace thalweg::http
