#include "proto/command_line/run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <new>
#include <stdexcept>
#include <string>
#include <system_error>

namespace thalweg::command_line {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

// What a program prints that fails for want of something, which must be one line.
template <typename Exception>
std::string LineOf(const Exception& exception) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(RunMain("draw", [&]() -> int { throw exception; }), kFailure);
  const std::string line = testing::internal::GetCapturedStderr();
  EXPECT_THAT(line, StartsWith("draw: "));
  EXPECT_EQ(line.find('\n'), line.size() - 1);
  return line;
}

std::string LineOf(std::errc code) { return LineOf(std::system_error(std::make_error_code(code))); }

TEST(RunMainTest, NamesTheLimitToRaise) {
  EXPECT_THAT(LineOf(std::errc::resource_unavailable_try_again), HasSubstr("ulimit -u"));
  EXPECT_THAT(LineOf(std::errc::too_many_files_open), HasSubstr("ulimit -n"));
  EXPECT_THAT(LineOf(std::errc::not_enough_memory), HasSubstr("ulimit -v"));
  EXPECT_THAT(LineOf(std::bad_alloc()), HasSubstr("ulimit -v"));
  EXPECT_THAT(LineOf(std::errc::io_error), HasSubstr("Input/output error"));
}

TEST(RunMainTest, ReturnsTheExitCode) {
  EXPECT_EQ(RunMain("draw", [] { return 7; }), 7);
}

TEST(RunMainTest, DoesNotCatchExceptionsOfBugs) {
  EXPECT_THROW(RunMain("draw", []() -> int { throw std::out_of_range("a bug"); }),
               std::out_of_range);
}

}  // namespace
}  // namespace thalweg::command_line
