// Values from other folders as families of Prometheus.
#pragma once

#include <prometheus/metric_family.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace thalweg::metrics {

using Families = std::vector<prometheus::MetricFamily>;
using Labels = std::vector<prometheus::ClientMetric::Label>;

// A metric's name with its values. A counter's name ends in _total; units are seconds and bytes.
class Family {
 public:
  static Family Counter(std::string name, std::string help);
  static Family Gauge(std::string name, std::string help);
  // For things that take time: how many there were (_count), and their total time (_sum).
  static Family Seconds(std::string name, std::string help);

  template <typename Number>
  Family& Add(Number value, Labels labels = {}) {
    AddValue(static_cast<double>(value), std::move(labels));
    return *this;
  }
  Family& AddSeconds(std::uint64_t times, double seconds, Labels labels = {});

  void PutIn(Families& families) { families.push_back(std::move(family_)); }

 private:
  Family(prometheus::MetricType type, std::string name, std::string help);
  void AddValue(double value, Labels labels);

  prometheus::MetricFamily family_;
};

// Adds a family with one value.
template <typename Number>
void AddCounter(std::string name, std::string help, Number value, Families& families,
                Labels labels = {}) {
  Family::Counter(std::move(name), std::move(help)).Add(value, std::move(labels)).PutIn(families);
}
template <typename Number>
void AddGauge(std::string name, std::string help, Number value, Families& families,
              Labels labels = {}) {
  Family::Gauge(std::move(name), std::move(help)).Add(value, std::move(labels)).PutIn(families);
}

}  // namespace thalweg::metrics
