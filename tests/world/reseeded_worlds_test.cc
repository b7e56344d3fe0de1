// Reseeded worlds: each is compiled once, outside every lock, and their number is limited.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "server/world/world_library.h"
#include "tests/world/reseed_gate.h"
#include "tests/world/spec_fixtures.h"

namespace thalweg::world {
namespace {

class ReseededWorldsTest : public testing::Test {
 protected:
  // Runs work on threads of the test, as a server does on its workers.
  RunWork Threads() { return threads_; }
  void Join() {
    for (std::thread& thread : running_) thread.join();
    running_.clear();
  }

  ReseedGate gate_;
  std::vector<std::thread> running_;
  const std::function<absl::Status(absl::AnyInvocable<void() &&>)> threads_ =
      [this](absl::AnyInvocable<void() &&> work) {
        running_.emplace_back(std::move(work));
        return absl::OkStatus();
      };
  const std::unique_ptr<WorldLibrary> library_ =
      WorldLibrary::Of({*World::Create(SmallSpec())}, {.reseed = gate_.Reseed()});
};

// While one world is compiled, others are found: existing ones, and those with other seeds.
TEST_F(ReseededWorldsTest, OthersAreFoundWhileOneIsCompiled) {
  const auto first = *library_->Find("alps@1");
  gate_.Close();
  absl::StatusOr<WorldPointer> slow = absl::UnknownError("not yet");
  library_->FindThen("alps@2", Threads(), [&](auto world) { slow = std::move(world); });
  gate_.AwaitCompiled(2);
  EXPECT_EQ(*library_->Find("alps@1"), first);
  EXPECT_TRUE(library_->Find("alps").ok());
  absl::StatusOr<WorldPointer> other = absl::UnknownError("not yet");
  library_->FindThen("alps@3", Threads(), [&](auto world) { other = std::move(world); });
  gate_.AwaitCompiled(3);
  gate_.Open();
  Join();
  ASSERT_TRUE(slow.ok() && other.ok());
  EXPECT_EQ((*slow)->spec().seed(), 2U);
  EXPECT_EQ((*other)->spec().seed(), 3U);
}

TEST_F(ReseededWorldsTest, ManyCallersShareOneCompilation) {
  gate_.Close();
  std::vector<WorldPointer> worlds(20);
  for (WorldPointer& taken : worlds) {
    library_->FindThen("alps@2", Threads(), [&taken](auto world) { taken = *world; });
  }
  EXPECT_EQ(running_.size(), 1U);
  gate_.AwaitCompiled(1);
  gate_.Open();
  Join();
  EXPECT_EQ(gate_.compiled(), 1);
  for (const WorldPointer& world : worlds) EXPECT_EQ(world, *library_->Find("alps@2"));
  EXPECT_EQ(gate_.compiled(), 1);
}

// A refused caller gets the error. The next caller may try again.
TEST_F(ReseededWorldsTest, RefusedWorkIsReportedAndForgotten) {
  const auto refuse = [](absl::AnyInvocable<void() &&>) {
    return absl::ResourceExhaustedError("too much");
  };
  absl::Status told;
  library_->FindThen("alps@2", refuse, [&](auto world) { told = world.status(); });
  EXPECT_EQ(told.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(gate_.compiled(), 0);
  EXPECT_TRUE(library_->Find("alps@2").ok());
}

TEST_F(ReseededWorldsTest, KnownAndInvalidWorldsNeedNoThread) {
  for (const std::string request : {"alps", "nowhere", "alps@x", "nowhere@1"}) {
    bool told = false;
    library_->FindThen(request, Threads(), [&](const auto&) { told = true; });
    EXPECT_TRUE(told) << request;
  }
  EXPECT_TRUE(running_.empty());
}

TEST_F(ReseededWorldsTest, TheMostRecentlyUsedWorldsStay) {
  for (int seed = 1; seed <= 256; ++seed) {
    ASSERT_TRUE(library_->Find(absl::StrCat("alps@", seed + 1'000)).ok());
  }
  EXPECT_EQ(gate_.compiled(), 256);
  ASSERT_TRUE(library_->Find("alps@1001").ok());
  EXPECT_EQ(gate_.compiled(), 256);
  ASSERT_TRUE(library_->Find("alps@9999").ok());
  ASSERT_TRUE(library_->Find("alps@1001").ok());
  EXPECT_EQ(gate_.compiled(), 257);
  ASSERT_TRUE(library_->Find("alps@1002").ok());
  EXPECT_EQ(gate_.compiled(), 258);
}

}  // namespace
}  // namespace thalweg::world
