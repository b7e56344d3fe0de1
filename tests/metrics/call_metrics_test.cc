#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <prometheus/text_serializer.h>

#include <string>
#include <thread>
#include <vector>

#include "server/metrics/server_families.h"

namespace thalweg::metrics {
namespace {

using calls::Method;
using ::testing::HasSubstr;

std::string TextOf(const CallMetrics& calls) {
  return prometheus::TextSerializer().Serialize(calls.registry()->Collect());
}

void Call(CallMetrics& calls, Method method, const absl::Status& status) {
  calls.Began(method);
  if (status.ok()) calls.Sent(method, 1'000);
  calls.Ended({.id = "x",
               .method = method,
               .duration = std::chrono::milliseconds(2),
               .peer = "",
               .token_name = "",
               .status = status});
}

TEST(CallMetricsTest, EveryMethodIsExportedFromTheStart) {
  const CallMetrics calls;
  const std::string text = TextOf(calls);
  for (int k = 0; k < calls::kMethodCount; ++k) {
    const std::string name(NameOf(static_cast<Method>(k)));
    EXPECT_THAT(text,
                HasSubstr("thalweg_rpc_calls_total{code=\"OK\",method=\"" + name + "\"} 0\n"));
  }
}

TEST(CallMetricsTest, ParallelCountsAreComplete) {
  CallMetrics calls;
  constexpr int kThreads = 4;
  constexpr int kCalls = 500;
  std::vector<std::jthread> threads;
  for (int k = 0; k < kThreads; ++k) {
    threads.emplace_back([&calls] {
      for (int n = 0; n < kCalls; ++n) {
        Call(calls, Method::kGetTile, absl::OkStatus());
        Call(calls, Method::kGetTile, absl::NotFoundError("no"));
      }
    });
  }
  threads.clear();
  const std::string text = TextOf(calls);
  for (const char* const line :
       {"thalweg_rpc_calls_total{code=\"OK\",method=\"GetTile\"} 2000\n",
        "thalweg_rpc_calls_total{code=\"NOT_FOUND\",method=\"GetTile\"} 2000\n",
        "thalweg_rpc_calls_running{method=\"GetTile\"} 0\n",
        "thalweg_rpc_call_seconds_count{method=\"GetTile\"} 4000\n",
        "thalweg_rpc_call_seconds_bucket{method=\"GetTile\",le=\"0.001\"} 0\n",
        "thalweg_rpc_call_seconds_bucket{method=\"GetTile\",le=\"0.0025\"} 4000\n",
        "thalweg_rpc_response_bytes_sum{method=\"GetTile\"} 2000000\n"}) {
    EXPECT_THAT(text, HasSubstr(line));
  }
}

}  // namespace
}  // namespace thalweg::metrics
