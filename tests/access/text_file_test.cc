#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "server/access/reloaded.h"
#include "tests/access/temporary_folder.h"

namespace thalweg::access {
namespace {

using ::testing::HasSubstr;

TEST(TextFileTest, ReadsAWholeFile) {
  const TemporaryFolder folder;
  const std::string path = folder.Put("file", std::string("a\0b\n", 4));
  EXPECT_EQ(*ReadRegularFile(path), std::string("a\0b\n", 4));
  EXPECT_EQ(*ReadTextFile(path), std::string("a\0b\n", 4));
  EXPECT_EQ(*ReadRegularFile(folder.Put("empty", "")), "");
}

TEST(TextFileTest, RefusesMoreThanAMebibyte) {
  const TemporaryFolder folder;
  EXPECT_TRUE(ReadRegularFile(folder.Put("file", std::string(1 << 20, 'a'))).ok());
  const absl::Status status =
      ReadRegularFile(folder.Put("file", std::string((1 << 20) + 1, 'a'))).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), HasSubstr("max 1 MiB"));
}

// Nobody writes into this pipe, so whoever opens it to read it waits for ever.
TEST(TextFileTest, RefusesWhatIsNoRegularFile) {
  const TemporaryFolder folder;
  const auto error_of = [](const std::string& path) {
    const absl::Status status = ReadRegularFile(path).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << path;
    return std::string(status.message());
  };
  const std::string pipe = folder.PutPipe("pipe");
  EXPECT_EQ(error_of(pipe),
            "invalid file " + pipe + ": expected a regular file, got a named pipe (FIFO)");
  EXPECT_THAT(error_of(folder.path().string()), HasSubstr("got a folder"));
  EXPECT_THAT(error_of("/dev/zero"), HasSubstr("got a device"));
  EXPECT_EQ(ReadRegularFile(folder.Path("nowhere")).status().code(), absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace thalweg::access
