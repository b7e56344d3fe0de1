// Every request's first steps: its route, its caller and its handler.
#pragma once

#include "server/calls/call_gate.h"
#include "server/http/site.h"

namespace thalweg::http {

// Answers a request or hands it to its route's handler. Both outlive it.
void DispatchRequest(const Site& site, calls::CallGate& gate, const ExchangePointer& exchange);

}  // namespace thalweg::http
