#include "client/tools/cli/files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string_view>

#include "client/tools/cli/connection.h"
#include "tests/access/temporary_folder.h"

namespace thalweg::cli {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

std::span<const std::uint8_t> Bytes(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

class OutputFileTest : public ::testing::Test {
 protected:
  OutputFileTest() {
    std::string name = (fs::temp_directory_path() / "thalweg-output-XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~OutputFileTest() override { fs::remove_all(folder_); }

  std::string Content(const fs::path& path) const {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::size_t Files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  fs::path folder_;
};

TEST_F(OutputFileTest, AppearsWholeWhenCommitted) {
  const fs::path path = folder_ / "a";
  auto file = OutputFile::Create(path.string());
  ASSERT_TRUE(file.ok()) << file.status();
  ASSERT_TRUE(file->Write(Bytes("half, ")).ok());
  EXPECT_FALSE(fs::exists(path));
  ASSERT_TRUE(file->Write(Bytes("whole")).ok());
  ASSERT_TRUE(file->Commit().ok());
  EXPECT_EQ(Content(path), "half, whole");
  EXPECT_EQ(Files(), 1U);
  const auto mode = fs::status(path).permissions();
  EXPECT_EQ(mode & fs::perms::owner_all, fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(OutputFileTest, LeavesNothingWithoutACommit) {
  const fs::path path = folder_ / "a";
  std::ofstream(path) << "old";
  {
    auto file = OutputFile::Create(path.string());
    ASSERT_TRUE(file.ok()) << file.status();
    ASSERT_TRUE(file->Write(Bytes("new")).ok());
  }
  EXPECT_EQ(Content(path), "old");
  EXPECT_EQ(Files(), 1U);
}

TEST_F(OutputFileTest, ReplacesAnEarlierFile) {
  const fs::path path = folder_ / "a";
  std::ofstream(path) << "old and long";
  auto file = OutputFile::Create(path.string());
  ASSERT_TRUE(file.ok()) << file.status();
  ASSERT_TRUE(file->Write(Bytes("new")).ok());
  ASSERT_TRUE(file->Commit().ok());
  EXPECT_EQ(Content(path), "new");
}

TEST_F(OutputFileTest, FollowsALinkInsteadOfReplacingIt) {
  std::ofstream(folder_ / "real") << "old";
  fs::create_symlink("real", folder_ / "link");
  auto file = OutputFile::Create((folder_ / "link").string());
  ASSERT_TRUE(file.ok()) << file.status();
  ASSERT_TRUE(file->Write(Bytes("new")).ok());
  ASSERT_TRUE(file->Commit().ok());
  EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
  EXPECT_EQ(Content(folder_ / "real"), "new");
}

TEST_F(OutputFileTest, FailsAtOnceWhereNothingCanBeWritten) {
  const std::string path = (folder_ / "missing" / "a").string();
  const auto missing = OutputFile::Create(path);
  EXPECT_EQ(missing.status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(missing.status().message(), "write '" + path + "': No such file or directory");
  const auto folder = OutputFile::Create(folder_.string());
  EXPECT_THAT(std::string(folder.status().message()), HasSubstr("Is a directory"));
}

TEST_F(OutputFileTest, WritesToADeviceAndSaysWhenItIsFull) {
  auto file = OutputFile::Create("/dev/full");
  ASSERT_TRUE(file.ok()) << file.status();
  const absl::Status status = file->Write(Bytes("x"));
  EXPECT_EQ(status.message(), "write '/dev/full': No space left on device");
  struct stat after = {};
  ASSERT_EQ(stat("/dev/full", &after), 0);
  EXPECT_TRUE(S_ISCHR(after.st_mode));
}

using ::testing::EndsWith;

std::string TextOf(const absl::Status& status) { return std::string(status.message()); }

TEST(InputFileTest, IsReadUpToAMaxSize) {
  const access::TemporaryFolder folder;
  const std::string path = folder.Put("file", std::string(1'000, 'x'));
  EXPECT_EQ(ReadInputFile(path, 1'000)->size(), 1'000U);
  EXPECT_EQ(TextOf(ReadInputFile(path, 999).status()),
            "the file " + path + " is larger than 999 bytes");
  // This file has no end.
  EXPECT_THAT(TextOf(ReadInputFile("/dev/zero", 1 << 20).status()),
              EndsWith(" is larger than 1048576 bytes"));
  EXPECT_TRUE(absl::IsNotFound(ReadInputFile(folder.Path("none"), 1).status()));
}

TEST(ConnectionFilesTest, HaveAMaxSize) {
  const access::TemporaryFolder folder;
  ConnectionArguments connection;
  connection.token_file = folder.Put("token", "\n  t1 \n");
  EXPECT_EQ(ReadOptions(connection)->token, "t1");
  connection.token_file = folder.Put("blank", " \n");
  EXPECT_THAT(TextOf(ReadOptions(connection).status()), EndsWith(" has no token"));
  connection.token_file = folder.Put("long", std::string(10'000, 'x'));
  EXPECT_THAT(TextOf(ReadOptions(connection).status()), HasSubstr("is larger than 8192 bytes"));
  connection = {};
  connection.ca = folder.Put("ca", std::string((1 << 20) + 1, 'x'));
  EXPECT_THAT(TextOf(ReadOptions(connection).status()), HasSubstr("is larger than 1048576 bytes"));
}

}  // namespace
}  // namespace thalweg::cli
