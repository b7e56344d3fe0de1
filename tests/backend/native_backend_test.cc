// The backend that runs kernels on the processor.
#include "server/backend/native/native_backend.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "server/backend/native/crew.h"
#include "server/backend/native/instruction_set.h"
#include "server/backend/native/processor.h"
#include "tests/backend/test_level.h"
#include "tests/starved.h"

namespace thalweg::backend {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;

// How often each of the rows was done when a crew shared them out.
std::vector<int> Covered(native::Crew& crew, int rows) {
  std::vector<std::atomic<int>> times(static_cast<std::size_t>(rows));
  crew.Share(std::vector{rows}, [&](std::size_t /*step*/, int first, int last) {
    for (int i = first; i < last; ++i) ++times[static_cast<std::size_t>(i)];
  });
  return {times.begin(), times.end()};
}

TEST(CrewTest, ComputesEachRowOnce) {
  for (const int threads : {1, 2, 5}) {
    native::Crew crew(threads);
    EXPECT_EQ(crew.threads(), threads);
    for (const int rows : {0, 1, 2, 7, 431}) EXPECT_THAT(Covered(crew, rows), Each(1));
  }
}

// Each step sees all that the step before did, as each dispatch does: it takes a value of the next
// row, and adds one.
TEST(CrewTest, EachStepSeesAllOfThePreviousStep) {
  constexpr std::size_t kRows = 64;
  constexpr int kSteps = 50;
  native::Crew crew(3);
  std::vector<std::vector<int>> values(2, std::vector<int>(kRows));
  for (int call = 0; call < 100; ++call) {
    const auto ends =
        crew.Share(std::vector<int>(kSteps, kRows), [&](std::size_t step, int first, int last) {
          for (auto i = static_cast<std::size_t>(first); i < static_cast<std::size_t>(last); ++i) {
            values[(step + 1) % 2][i] = values[step % 2][(i + 1) % kRows] + 1;
          }
        });
    EXPECT_EQ(ends.size(), static_cast<std::size_t>(kSteps));
    EXPECT_TRUE(std::is_sorted(ends.begin(), ends.end()));
    EXPECT_THAT(values[0], Each(kSteps * (call + 1)));
  }
}

// Those that were made wait for the crew's first work or its end.
TEST(CrewTest, ThrowsIfThreadsRunOut) {
  if (!kThreadsCanRunOut) GTEST_SKIP();
  EXPECT_TRUE(ThrowsForWantOfThreads([] { const native::Crew crew(kTooManyThreads); }));
}

TEST(NativeBackendTest, RunsTheBestInstructionSet) {
  const auto backend = CreateNative({});
  ASSERT_TRUE(backend.ok()) << backend.status();
  EXPECT_EQ((*backend)->device_name(), kNativeName);
  EXPECT_THAT((*backend)->driver(), HasSubstr(InstructionSetHere().value()));
}

TEST(NativeBackendTest, KnowsItsInstructionSets) {
  const absl::Status unknown = CreateNative({.instruction_set = "mmx"}).status();
  EXPECT_EQ(unknown.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(unknown.message()),
              HasSubstr(absl::StrCat(native::InstructionSets().back().name, ", got 'mmx'")));
}

TEST(NativeBackendTest, RefusesInstructionSetsThatTheProcessorLacks) {
  std::vector<native::InstructionSet> sets = native::InstructionSets();
  for (native::InstructionSet& set : sets) set.runs_here = false;
  const auto chosen = native::Choose(sets, sets.front().name);
  EXPECT_EQ(chosen.status().code(), absl::StatusCode::kFailedPrecondition) << chosen.status();
  EXPECT_THAT(std::string(chosen.status().message()), HasSubstr(sets.front().name));
  // A program for other machines says what it was compiled for, and how to get one for this one.
  const std::string none(native::Choose(sets, "").status().message());
  EXPECT_THAT(none, HasSubstr(sets.front().name));
  EXPECT_THAT(none, HasSubstr("this processor has only"));
  EXPECT_THAT(none, HasSubstr("deploy/build --sets all"));
  // The best of those that it has is the default.
  sets.back().runs_here = true;
  EXPECT_EQ(native::Choose(sets, "")->name, sets.back().name);
}

TEST(NativeBackendTest, EveryProcessorHasTheBaseline) {
  EXPECT_EQ(native::SetsOfProcessor().back(), "baseline");
}

}  // namespace
}  // namespace thalweg::backend
