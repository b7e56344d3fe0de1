#include "server/calls/call_gate.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <thread>

namespace thalweg::calls {
namespace {

constexpr auto kLongAgo = std::chrono::system_clock::time_point::min();
constexpr auto kNever = std::chrono::system_clock::time_point::max();

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

TEST(CallGateTest, TellsThoseInsideOnceWhenItCloses) {
  CallGate gate;
  int told = 0;
  ASSERT_TRUE(gate.Enter().ok());
  const std::uint64_t inside = gate.OnClose([&told] { ++told; });
  ASSERT_TRUE(gate.Enter().ok());
  gate.Leave(gate.OnClose([&told] { told += 100; }));
  gate.Close();
  gate.Close();
  EXPECT_EQ(told, 1);
  gate.Leave(inside);
  EXPECT_TRUE(gate.AwaitEmpty(kLongAgo));
}

TEST(CallGateTest, TellsAtOnceWhoComesLate) {
  CallGate gate;
  ASSERT_TRUE(gate.Enter().ok());
  gate.Close();
  int told = 0;
  gate.OnClose([&told] { ++told; });
  EXPECT_EQ(told, 1);
}

}  // namespace
}  // namespace thalweg::calls
