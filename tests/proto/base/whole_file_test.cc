// Files that are whole or not there.
#include "proto/base/whole_file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <string>

#include "tests/proto/base/folder_test.h"

namespace thalweg::files {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class WholeFileTest : public FolderTest {};

TEST_F(WholeFileTest, ReplacesAnEarlierFile) {
  ASSERT_TRUE(WriteWhole(Path("a"), "one").ok());
  ASSERT_TRUE(WriteWhole(Path("a"), std::string("two\0", 4)).ok());
  EXPECT_EQ(TextOf("a"), std::string("two\0", 4));
  EXPECT_EQ(Files(), 1);
}

TEST_F(WholeFileTest, HasTheGivenMode) {
  ASSERT_TRUE(WriteWhole(Path("secret"), "key", 0600).ok());
  struct stat facts {};
  ASSERT_EQ(stat(Path("secret").c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 07777, 0600U);
}

TEST_F(WholeFileTest, ErrorsNameTheFile) {
  EXPECT_THAT(std::string(WriteWhole(Path("no/where"), "x").message()),
              HasSubstr("create '" + Path("no/where")));
  fs::create_directory(Path("folder"));
  EXPECT_THAT(std::string(WriteWhole(Path("folder"), "x").message()),
              HasSubstr("rename to '" + Path("folder") + "': "));
  EXPECT_EQ(Files(), 1);
}

// The limit of a file's size stands in for a disk that becomes full.
TEST_F(WholeFileTest, AFullDiskKeepsTheEarlierFile) {
  ASSERT_TRUE(WriteWhole(Path("a"), "one").ok());
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{1000, 1000};
    setrlimit(RLIMIT_FSIZE, &limit);
    _exit(WriteWhole(Path("a"), std::string(100'000, 'x')).ok() ? 1 : 0);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(TextOf("a"), "one");
  EXPECT_EQ(Files(), 1);
}

TEST_F(WholeFileTest, TemporaryNamesDiffer) {
  const std::string one = TemporaryNameOf("a/b");
  EXPECT_THAT(one, testing::MatchesRegex("a/b\\.[0-9a-f]+\\.tmp"));
  EXPECT_NE(TemporaryNameOf("a/b"), one);
}

}  // namespace
}  // namespace thalweg::files
