#include "server/cache/key_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "absl/strings/ascii.h"
#include "tests/cache/sample_tiles.h"
#include "tests/cache/temporary_folder.h"

namespace thalweg::cache {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::string ErrorOf(std::string_view text) {
  const auto keys = ParseKeys(text);
  EXPECT_EQ(keys.status().code(), absl::StatusCode::kInvalidArgument) << text;
  return std::string(keys.status().message());
}

TEST(KeyFileTest, TheFirstKeySignsAndBothVerify) {
  const std::string first = KeyLine(SampleKeys().signing);
  const std::string second = KeyLine(OtherKeys().signing);
  const auto one = ParseKeys(first);
  ASSERT_TRUE(one.ok()) << one.status();
  EXPECT_EQ(one->signing, SampleKeys().signing);
  EXPECT_FALSE(one->also_accepted.has_value());
  const auto two = ParseKeys("# made in November\n\n  " + absl::AsciiStrToUpper(first) +
                             " \r\n\t\n# the old one:\n" + second + "\n\n");
  ASSERT_TRUE(two.ok()) << two.status();
  EXPECT_EQ(two->signing, SampleKeys().signing);
  EXPECT_EQ(two->also_accepted, OtherKeys().signing);
}

TEST(KeyFileTest, ErrorsNameTheLineButNotTheKey) {
  const std::string key = KeyLine(RandomMacKey());
  const std::string cut = key.substr(0, 62);
  EXPECT_THAT(ErrorOf("#\n" + cut),
              AllOf(HasSubstr("line 2"), HasSubstr("expected 64 hexadecimal digits"),
                    HasSubstr("got 62"), Not(HasSubstr(key.substr(0, 8)))));
  EXPECT_THAT(ErrorOf(key + "\n" + cut + "g0"),
              AllOf(HasSubstr("line 2"), HasSubstr("but a character is not one"),
                    Not(HasSubstr(key.substr(0, 8)))));
  EXPECT_THAT(ErrorOf(""), HasSubstr("expected 1 or 2 keys, got 0"));
  EXPECT_THAT(ErrorOf("# " + key), HasSubstr("expected 1 or 2 keys, got 0"));
  EXPECT_THAT(ErrorOf(key + "\n" + key + "\n" + key), HasSubstr("expected 1 or 2 keys, got 3"));
  ErrorOf(key + " " + key);
  ErrorOf(std::string(64, '\0'));
}

class KeyFileFolderTest : public testing::Test {
 protected:
  std::string Put(const std::string& text, mode_t mode) const {
    std::ofstream(path_) << text;
    EXPECT_EQ(chmod(path_.c_str(), mode), 0);
    return path_;
  }

  const TemporaryFolder folder_;
  const std::string path_ = folder_.path() + "/cache.key";
  const std::string line_ = KeyLine(SampleKeys().signing) + "\n";
};

TEST_F(KeyFileFolderTest, ReadsTheFileThatItWrote) {
  ASSERT_TRUE(MakeKeyFile(path_).ok());
  struct stat facts {};
  ASSERT_EQ(stat(path_.c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 07777, 0600U);
  const auto first = ReadKeyFile(path_);
  ASSERT_TRUE(first.ok()) << first.status();
  ASSERT_TRUE(MakeKeyFile(path_).ok());
  EXPECT_NE(ReadKeyFile(path_)->signing, first->signing);
  // No other file is left in the folder.
  const auto files = std::filesystem::directory_iterator(folder_.path());
  EXPECT_EQ(std::distance(begin(files), end(files)), 1);
}

TEST_F(KeyFileFolderTest, OnlyItsOwnerAndGroupMayReadIt) {
  for (const mode_t mode : {0600U, 0400U, 0640U, 0440U}) {
    EXPECT_TRUE(ReadKeyFile(Put(line_, mode)).ok()) << std::oct << mode;
  }
  for (const mode_t mode : {0644U, 0604U, 0602U, 0660U, 0601U, 0666U}) {
    const absl::Status refused = ReadKeyFile(Put(line_, mode)).status();
    EXPECT_EQ(refused.code(), absl::StatusCode::kPermissionDenied) << std::oct << mode;
    EXPECT_THAT(std::string(refused.message()),
                AllOf(HasSubstr(path_), HasSubstr("expected mode 0600"), HasSubstr("chmod 600")));
  }
}

TEST_F(KeyFileFolderTest, BelongsToThisUserOrToRoot) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give a file away";
  ASSERT_EQ(chown(Put(line_, 0600).c_str(), 12'345, 0), 0);
  const absl::Status refused = ReadKeyFile(path_).status();
  EXPECT_EQ(refused.code(), absl::StatusCode::kPermissionDenied);
  EXPECT_THAT(std::string(refused.message()), AllOf(HasSubstr("user 12345"), HasSubstr("chown")));
}

TEST_F(KeyFileFolderTest, SaysWhatIsWrongWithAFile) {
  EXPECT_EQ(ReadKeyFile(path_).status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(ReadKeyFile(folder_.path()).status().code(), absl::StatusCode::kPermissionDenied);
  ASSERT_EQ(mkfifo((path_ + ".pipe").c_str(), 0600), 0);
  EXPECT_EQ(ReadKeyFile(path_ + ".pipe").status().code(), absl::StatusCode::kPermissionDenied);
  EXPECT_EQ(ReadKeyFile(Put("", 0600)).status().code(), absl::StatusCode::kInvalidArgument);
  const absl::Status large = ReadKeyFile(Put(line_ + std::string(5'000, '\n'), 0600)).status();
  EXPECT_EQ(large.code(), absl::StatusCode::kInvalidArgument);
  const absl::Status wrong = ReadKeyFile(Put("\nxyz\n", 0600)).status();
  EXPECT_THAT(std::string(large.message()), AllOf(HasSubstr(path_), HasSubstr(": larger than ")));
  EXPECT_THAT(std::string(wrong.message()),
              AllOf(HasSubstr(path_), HasSubstr("line 2: "), HasSubstr("expected")));
}

TEST_F(KeyFileFolderTest, SaysWhyAFileCannotBeCreated) {
  const absl::Status status = MakeKeyFile(folder_.path() + "/nowhere/cache.key");
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(status.message()), HasSubstr("/nowhere/cache.key"));
}

}  // namespace
}  // namespace thalweg::cache
