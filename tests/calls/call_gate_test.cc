#include "server/calls/call_gate.h"

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <thread>
#include <utility>

namespace thalweg::calls {
namespace {

constexpr auto kLongAgo = std::chrono::system_clock::time_point::min();
constexpr auto kNever = std::chrono::system_clock::time_point::max();

TEST(CallGateTest, RefusesOnceClosed) {
  CallGate gate;
  EXPECT_TRUE(gate.Enter().ok());
  gate.Close();
  EXPECT_EQ(gate.Enter().status().code(), absl::StatusCode::kUnavailable);
}

TEST(CallGateTest, WaitsForTheLastCall) {
  CallGate gate;
  std::optional<CallGate::Pass> first(*gate.Enter());
  std::optional<CallGate::Pass> second(*gate.Enter());
  first.reset();
  EXPECT_FALSE(gate.AwaitEmpty(kLongAgo));
  std::thread caller([&second] { second.reset(); });
  EXPECT_TRUE(gate.AwaitEmpty(kNever));
  caller.join();
}

TEST(CallGateTest, CountsAMovedPassOnce) {
  CallGate gate;
  {
    CallGate::Pass pass = *gate.Enter();
    const CallGate::Pass moved = std::move(pass);
    EXPECT_FALSE(gate.AwaitEmpty(kLongAgo));
  }
  EXPECT_TRUE(gate.AwaitEmpty(kLongAgo));
}

TEST(CallGateTest, TellsThoseInsideOnceWhenItCloses) {
  CallGate gate;
  int told = 0;
  CallGate::Pass inside = *gate.Enter();
  inside.OnClose([&told] { ++told; });
  {
    CallGate::Pass gone = *gate.Enter();
    gone.OnClose([&told] { told += 100; });
  }
  gate.Close();
  gate.Close();
  EXPECT_EQ(told, 1);
}

TEST(CallGateTest, TellsAtOnceWhoComesLate) {
  CallGate gate;
  CallGate::Pass pass = *gate.Enter();
  gate.Close();
  int told = 0;
  pass.OnClose([&told] { ++told; });
  EXPECT_EQ(told, 1);
}

}  // namespace
}  // namespace thalweg::calls
