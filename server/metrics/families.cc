#include "server/metrics/families.h"

namespace thalweg::metrics {

using prometheus::MetricType;

Family::Family(MetricType type, std::string name, std::string help) {
  family_.name = std::move(name);
  family_.help = std::move(help);
  family_.type = type;
}

Family Family::Counter(std::string name, std::string help) {
  return {MetricType::Counter, std::move(name), std::move(help)};
}

Family Family::Gauge(std::string name, std::string help) {
  return {MetricType::Gauge, std::move(name), std::move(help)};
}

Family Family::Seconds(std::string name, std::string help) {
  return {MetricType::Summary, std::move(name), std::move(help)};
}

void Family::AddValue(double value, Labels labels) {
  prometheus::ClientMetric metric;
  metric.label = std::move(labels);
  if (family_.type == MetricType::Counter) {
    metric.counter.value = value;
  } else {
    metric.gauge.value = value;
  }
  family_.metric.push_back(std::move(metric));
}

Family& Family::AddSeconds(std::uint64_t times, double seconds, Labels labels) {
  prometheus::ClientMetric metric;
  metric.label = std::move(labels);
  metric.summary.sample_count = times;
  metric.summary.sample_sum = seconds;
  family_.metric.push_back(std::move(metric));
  return *this;
}

}  // namespace thalweg::metrics
