#include "server/rpc/rpc_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <string>

#include "absl/strings/match.h"
#include "tests/starved.h"

namespace thalweg::rpc {
namespace {

// Whether there is too little room, and the error names the limit to raise.
bool IsShort(const std::string& limit) {
  const absl::Status room = CheckRoomToStart();
  return absl::IsResourceExhausted(room) && absl::StrContains(room.message(), limit);
}

TEST(RoomToStartTest, ThisMachineHasEnoughRoom) {
  EXPECT_TRUE(CheckRoomToStart().ok()) << CheckRoomToStart();
}

TEST(RoomToStartTest, NamesTheLimitOfFiles) {
  EXPECT_EQ(RunInChild([] {
              const rlimit limit{6, 6};
              setrlimit(RLIMIT_NOFILE, &limit);
              return IsShort("ulimit -n") ? 1 : 0;
            }),
            1);
}

TEST(RoomToStartTest, NamesTheLimitOfThreads) {
  if (!kThreadsCanRunOut) GTEST_SKIP();
  EXPECT_EQ(RunWithoutRoomForStacks([] { return IsShort("ulimit -u") ? 1 : 0; }), 1);
}

}  // namespace
}  // namespace thalweg::rpc
