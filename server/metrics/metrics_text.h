// Metrics in Prometheus's text form.
#pragma once

#include <prometheus/collectable.h>

#include <memory>
#include <string>
#include <vector>

namespace thalweg::metrics {

using Collectables = std::vector<std::shared_ptr<prometheus::Collectable>>;

// The present values of the collectables, in Prometheus's text form 0.0.4.
std::string TextOf(const Collectables& collectables);

}  // namespace thalweg::metrics
