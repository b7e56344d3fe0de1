#include <gtest/gtest.h>
#include <sys/resource.h>

#include <thread>

#include "server/sharing/threads.h"

namespace thalweg::sharing {
namespace {

int NiceOfThisThread() { return getpriority(PRIO_PROCESS, 0); }

TEST(GiveWayTest, HoldsForTheThreadAndThoseThatItStarts) {
  const int before = NiceOfThisThread();
  int own = 0;
  int child = 0;
  std::jthread([&] {
    GiveWay();
    own = NiceOfThisThread();
    std::jthread([&] { child = NiceOfThisThread(); });
  }).join();
  EXPECT_GT(own, before);
  EXPECT_EQ(child, own);
  EXPECT_EQ(NiceOfThisThread(), before);
}

}  // namespace
}  // namespace thalweg::sharing
