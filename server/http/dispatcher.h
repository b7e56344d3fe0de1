// The first steps of every request: its route, its caller and its handler.
#pragma once

#include "server/calls/admission.h"
#include "server/http/site.h"

namespace thalweg::http {

// Answers a request or passes it to its route's handler. Site and gate must outlive it.
void DispatchRequest(const Site& site, calls::CallGate& gate, const ExchangePointer& exchange);

}  // namespace thalweg::http
