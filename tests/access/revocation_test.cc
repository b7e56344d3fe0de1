#include "server/access/revocation.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

namespace thalweg::access {
namespace {

TEST(RevocationTest, NotifiesEachWatchOnce) {
  Revocation revocation;
  std::vector<std::string> told;
  const auto tell = [&told](const absl::Status& why) { told.emplace_back(why.message()); };
  const auto first = revocation.OnRevoke(tell);
  const auto second = revocation.OnRevoke(tell);
  revocation.Revoke(absl::UnauthenticatedError("gone"));
  revocation.Revoke(absl::UnauthenticatedError("gone again"));
  EXPECT_EQ(told, (std::vector<std::string>{"gone", "gone"}));
}

TEST(RevocationTest, NotifiesLateWatchesAtOnce) {
  Revocation revocation;
  revocation.Revoke(absl::UnavailableError("changed"));
  absl::Status told;
  const auto watch = revocation.OnRevoke([&told](const absl::Status& why) { told = why; });
  EXPECT_EQ(told, absl::UnavailableError("changed"));
}

TEST(RevocationTest, DoesNotNotifyRemovedWatches) {
  Revocation revocation;
  int told = 0;
  const auto tell = [&told](const absl::Status&) { ++told; };
  {
    const auto gone = revocation.OnRevoke(tell);
    auto moved = revocation.OnRevoke(tell);
    const Revocation::Watch there = std::move(moved);
    // The assignment ends the watch that was there.
    auto replaced = revocation.OnRevoke(tell);
    replaced = Revocation::Watch();
  }
  revocation.Revoke(absl::UnauthenticatedError("gone"));
  EXPECT_EQ(told, 0);
}

TEST(RevocationTest, AWatchMayRemoveItselfWhenNotified) {
  Revocation revocation;
  std::optional<Revocation::Watch> watch;
  watch.emplace(revocation.OnRevoke([&watch](const absl::Status&) { watch.reset(); }));
  revocation.Revoke(absl::UnauthenticatedError("gone"));
  EXPECT_FALSE(watch.has_value());
}

// Every watch of many threads is called once, unless it was removed before or came too late.
TEST(RevocationTest, NotifiesWatchesOfManyThreads) {
  Revocation revocation;
  std::atomic<int> told = 0;
  std::atomic<int> here = 0;
  std::vector<std::thread> threads;
  std::vector<std::vector<Revocation::Watch>> watches(4);
  for (std::vector<Revocation::Watch>& own : watches) {
    threads.emplace_back([&] {
      for (int n = 0; n < 1'000; ++n) {
        own.push_back(revocation.OnRevoke([&told](const absl::Status&) { ++told; }));
        ++here;
      }
    });
  }
  while (here < 500) std::this_thread::yield();
  revocation.Revoke(absl::UnauthenticatedError("gone"));
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(told, 4'000);
}

}  // namespace
}  // namespace thalweg::access
