// Counts calls: their number, duration, size and result.
#pragma once

#include <prometheus/collectable.h>
#include <prometheus/counter.h>
#include <prometheus/family.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "server/calls/call_listener.h"

namespace thalweg::metrics {

// Metrics in Prometheus's text form.
using Collectables = std::vector<std::shared_ptr<prometheus::Collectable>>;

// The present values of the collectables, in Prometheus's text form 0.0.4.
std::string TextOf(const Collectables& collectables);

// Thread-safe.
class CallMetrics final : public calls::CallListener {
 public:
  CallMetrics();

  void Began(calls::Method method) override;
  void Sent(calls::Method method, std::size_t bytes) override;
  void Ended(const calls::CallReport& report) override;

  const std::shared_ptr<prometheus::Registry>& registry() const { return registry_; }

 private:
  // The metrics of one method. The registry owns them.
  struct OfMethod {
    prometheus::Gauge* running = nullptr;
    prometheus::Counter* succeeded = nullptr;
    prometheus::Histogram* seconds = nullptr;
    prometheus::Histogram* response_bytes = nullptr;
  };

  OfMethod& Of(calls::Method method) { return methods_[static_cast<std::size_t>(method)]; }

  const std::shared_ptr<prometheus::Registry> registry_;
  prometheus::Family<prometheus::Counter>& calls_;
  std::array<OfMethod, calls::kMethodCount> methods_;
};

}  // namespace thalweg::metrics
