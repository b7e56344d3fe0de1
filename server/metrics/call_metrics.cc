#include "server/metrics/call_metrics.h"

#include <prometheus/text_serializer.h>

#include <algorithm>
#include <chrono>
#include <iterator>

#include "server/metrics/families.h"

namespace thalweg::metrics {
namespace {

using prometheus::Histogram;

// A cached tile takes tens of microseconds, a cold one seconds, a session hours.
const Histogram::BucketBoundaries kSeconds{0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01,
                                           0.025,  0.05,    0.1,    0.25,  0.5,    1,     2.5,
                                           5,      10,      30,     60,    300,    3600};

const Histogram::BucketBoundaries kBytes{256,     1'024,   4'096,   16'384,    32'768,   65'536,
                                         131'072, 262'144, 524'288, 1'048'576, 4'194'304};

prometheus::Labels OfCall(calls::Method method) {
  return {{"method", std::string(NameOf(method))}};
}

prometheus::Labels OfCall(calls::Method method, absl::StatusCode code) {
  prometheus::Labels labels = OfCall(method);
  labels.emplace("code", absl::StatusCodeToString(code));
  return labels;
}

}  // namespace

std::string TextOf(const Collectables& collectables) {
  Families all;
  for (const auto& collectable : collectables) {
    Families some = collectable->Collect();
    std::move(some.begin(), some.end(), std::back_inserter(all));
  }
  return prometheus::TextSerializer().Serialize(all);
}

CallMetrics::CallMetrics()
    : registry_(std::make_shared<prometheus::Registry>()),
      calls_(prometheus::BuildCounter()
                 .Name("thalweg_rpc_calls_total")
                 .Help("Calls that have ended, by method and status code")
                 .Register(*registry_)) {
  auto& running = prometheus::BuildGauge()
                      .Name("thalweg_rpc_calls_running")
                      .Help("Calls that run now, by method")
                      .Register(*registry_);
  auto& seconds = prometheus::BuildHistogram()
                      .Name("thalweg_rpc_call_seconds")
                      .Help("From a call's arrival until its status was handed to gRPC")
                      .Register(*registry_);
  auto& bytes = prometheus::BuildHistogram()
                    .Name("thalweg_rpc_response_bytes")
                    .Help("Responses handed to gRPC; streams and sessions have many")
                    .Register(*registry_);
  for (int k = 0; k < calls::kMethodCount; ++k) {
    const auto method = static_cast<calls::Method>(k);
    Of(method) = {.running = &running.Add(OfCall(method)),
                  .succeeded = &calls_.Add(OfCall(method, absl::StatusCode::kOk)),
                  .seconds = &seconds.Add(OfCall(method), kSeconds),
                  .response_bytes = &bytes.Add(OfCall(method), kBytes)};
  }
}

void CallMetrics::Began(calls::Method method) { Of(method).running->Increment(); }

void CallMetrics::Sent(calls::Method method, std::size_t bytes) {
  Of(method).response_bytes->Observe(static_cast<double>(bytes));
}

void CallMetrics::Ended(const calls::CallReport& report) {
  const OfMethod& method = Of(report.method);
  method.running->Decrement();
  method.seconds->Observe(std::chrono::duration<double>(report.duration).count());
  if (report.status.ok()) {
    method.succeeded->Increment();
  } else {
    // There are few codes, so each gets its counter when it first occurs.
    calls_.Add(OfCall(report.method, report.status.code())).Increment();
  }
}

}  // namespace thalweg::metrics
