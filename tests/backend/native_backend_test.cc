// The backend that runs kernels on the processor.
#include "server/backend/native/native_backend.h"

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "server/backend/native/crew.h"
#include "server/backend/native/instruction_set.h"
#include "tests/backend/test_level.h"

namespace thalweg::backend {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;

// How often each of these numbers was covered when a crew shared them out.
std::vector<int> Covered(native::Crew& crew, int count) {
  std::vector<std::atomic<int>> times(static_cast<std::size_t>(count));
  crew.Share(count, [&](int first, int last) {
    for (int i = first; i < last; ++i) ++times[static_cast<std::size_t>(i)];
  });
  return {times.begin(), times.end()};
}

TEST(CrewTest, SharesOutEachRowOnce) {
  for (const int threads : {1, 2, 5}) {
    native::Crew crew(threads);
    EXPECT_EQ(crew.threads(), threads);
    for (const int count : {0, 1, 2, 7, 431}) EXPECT_THAT(Covered(crew, count), Each(1));
  }
}

// Each work sees all that the work before did, as each dispatch must.
TEST(CrewTest, OneWorkFollowsTheOther) {
  constexpr int kRows = 64;
  native::Crew crew(3);
  std::vector<int> now(kRows);
  std::vector<int> next(kRows);
  for (int round = 0; round < 2000; ++round) {
    crew.Share(kRows, [&](int first, int last) {
      for (int i = first; i < last; ++i) {
        next[static_cast<std::size_t>(i)] = now[static_cast<std::size_t>((i + 1) % kRows)] + 1;
      }
    });
    now.swap(next);
  }
  EXPECT_THAT(now, Each(2000));
}

TEST(NativeBackendTest, RunsTheBestInstructionSet) {
  const auto backend = CreateNative({});
  ASSERT_TRUE(backend.ok()) << backend.status();
  EXPECT_EQ((*backend)->device_name(), kNativeName);
  EXPECT_THAT((*backend)->driver(), HasSubstr(InstructionSetHere()));
}

TEST(NativeBackendTest, KnowsItsInstructionSets) {
  const absl::Status unknown = CreateNative({.instruction_set = "mmx"}).status();
  EXPECT_EQ(unknown.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(unknown.message()), HasSubstr("baseline, got 'mmx'"));
}

TEST(NativeBackendTest, DoesNotRunWhatTheProcessorLacks) {
  std::vector<native::InstructionSet> sets = native::InstructionSets();
  for (native::InstructionSet& set : sets) set.runs_here = false;
  const auto chosen = native::Choose(sets, sets.front().name);
  EXPECT_EQ(chosen.status().code(), absl::StatusCode::kFailedPrecondition) << chosen.status();
  EXPECT_THAT(std::string(chosen.status().message()), HasSubstr(sets.front().name));
  // The best of those that it has is the default.
  sets.back().runs_here = true;
  EXPECT_STREQ(native::Choose(sets, "")->name, sets.back().name);
}

}  // namespace
}  // namespace thalweg::backend
