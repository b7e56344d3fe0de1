#include <gtest/gtest.h>

#include <chrono>
#include <thread>
#include <vector>

#include "server/calls/admission.h"

namespace thalweg::calls {
namespace {

constexpr auto kLongAgo = std::chrono::steady_clock::time_point::min();
constexpr auto kNever = std::chrono::steady_clock::time_point::max();

TEST(CallGateTest, RefusesOnceClosed) {
  CallGate gate;
  EXPECT_TRUE(gate.Enter().ok());
  gate.Close();
  EXPECT_EQ(gate.Enter().code(), absl::StatusCode::kUnavailable);
}

TEST(CallGateTest, WaitsForTheLastCall) {
  CallGate gate;
  ASSERT_TRUE(gate.Enter().ok());
  ASSERT_TRUE(gate.Enter().ok());
  gate.Leave();
  EXPECT_FALSE(gate.AwaitEmpty(kLongAgo));
  std::thread caller([&gate] { gate.Leave(); });
  EXPECT_TRUE(gate.AwaitEmpty(kNever));
  caller.join();
}

TEST(CallGateTest, NotifiesCallsInsideOnceWhenItCloses) {
  CallGate gate;
  std::vector<absl::Status> told;
  const auto tell = [&told](const absl::Status& why) { told.push_back(why); };
  ASSERT_TRUE(gate.Enter().ok());
  const auto inside = gate.OnClose(tell);
  // A call that has left is told nothing.
  { const auto left = gate.OnClose(tell); }
  gate.Close();
  gate.Close();
  ASSERT_EQ(told.size(), 1);
  EXPECT_EQ(told[0].code(), absl::StatusCode::kUnavailable);
  gate.Leave();
  EXPECT_TRUE(gate.AwaitEmpty(kLongAgo));
}

TEST(CallGateTest, NotifiesLateCallsAtOnce) {
  CallGate gate;
  ASSERT_TRUE(gate.Enter().ok());
  gate.Close();
  int told = 0;
  const auto late = gate.OnClose([&told](const absl::Status&) { ++told; });
  EXPECT_EQ(told, 1);
}

}  // namespace
}  // namespace thalweg::calls
