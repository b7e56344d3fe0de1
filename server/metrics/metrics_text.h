// Metrics as Prometheus reads them.
#pragma once

#include <string>

#include "server/metrics/endpoint.h"

namespace thalweg::metrics {

// What the collectables count now, in Prometheus's text form 0.0.4.
std::string TextOf(const Collectables& collectables);

}  // namespace thalweg::metrics
