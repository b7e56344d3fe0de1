#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "client/tools/cli/connection.h"
#include "client/tools/cli/files.h"
#include "tests/access/temporary_folder.h"

namespace thalweg::cli {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

std::string TextOf(const absl::Status& status) { return std::string(status.message()); }

TEST(InputFileTest, IsReadUpToItsMax) {
  const access::TemporaryFolder folder;
  const std::string path = folder.Put("file", std::string(1'000, 'x'));
  EXPECT_EQ(ReadInputFile(path, 1'000)->size(), 1'000U);
  EXPECT_EQ(TextOf(ReadInputFile(path, 999).status()),
            "invalid file " + path + ": expected max 999 bytes, got more");
  // This file has no end.
  EXPECT_THAT(TextOf(ReadInputFile("/dev/zero", 1 << 20).status()),
              EndsWith("expected max 1048576 bytes, got more"));
  EXPECT_TRUE(absl::IsNotFound(ReadInputFile(folder.Path("none"), 1).status()));
}

TEST(ConnectionFilesTest, AreBounded) {
  const access::TemporaryFolder folder;
  ConnectionArguments connection;
  connection.token_file = folder.Put("token", "\n  t1 \n");
  EXPECT_EQ(ReadOptions(connection)->token, "t1");
  connection.token_file = folder.Put("blank", " \n");
  EXPECT_THAT(TextOf(ReadOptions(connection).status()), EndsWith("expected a token, got none"));
  connection.token_file = folder.Put("long", std::string(10'000, 'x'));
  EXPECT_THAT(TextOf(ReadOptions(connection).status()), HasSubstr("expected max 8192 bytes"));
  connection = {};
  connection.ca = folder.Put("ca", std::string((1 << 20) + 1, 'x'));
  EXPECT_THAT(TextOf(ReadOptions(connection).status()), HasSubstr("expected max 1048576 bytes"));
}

}  // namespace
}  // namespace thalweg::cli
