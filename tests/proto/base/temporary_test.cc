// What killed and living writers leave beside their files.
#include "proto/base/temporary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "tests/child/writing_process.h"
#include "tests/proto/base/folder_test.h"

namespace thalweg::files {
namespace {

namespace fs = std::filesystem;
using child::WritingProcess;

constexpr TemporaryOptions kNamed{.may_be_nameless = false};

class TemporaryTest : public FolderTest {
 protected:
  // Begins to write "a" as a file.
  std::unique_ptr<TemporaryFile> BeginFile(const TemporaryOptions& options) const {
    auto file = TemporaryFile::Create(Path("a"), options);
    if (!file.ok() || !WriteAll((*file)->number(), "a", "half").ok()) return nullptr;
    return *std::move(file);
  }
  std::unique_ptr<TemporaryFolder> BeginFolder() const {
    auto folder = TemporaryFolder::Create(Path("a"));
    if (!folder.ok() || !WriteWhole((*folder)->Path("whole"), "half").ok()) return nullptr;
    if (!WriteWhole((*folder)->Path("whole-journal"), "half").ok()) return nullptr;
    return *std::move(folder);
  }
};

TEST_F(TemporaryTest, BecomesTheFileAndLeavesNothingElse) {
  for (const bool nameless : {false, true}) {
    const auto file = BeginFile({.may_be_nameless = nameless});
    ASSERT_NE(file, nullptr);
    EXPECT_FALSE(fs::exists(Path("a")));
    ASSERT_TRUE(file->Finish().ok());
    EXPECT_EQ(TextOf("a"), "half");
    EXPECT_EQ(Files(), 1);
    ASSERT_TRUE(fs::remove(Path("a")));
  }
}

TEST_F(TemporaryTest, LeavesNothingUnlessFinished) {
  for (const bool nameless : {false, true}) BeginFile({.may_be_nameless = nameless});
  BeginFolder();
  EXPECT_EQ(Files(), 0);
}

TEST_F(TemporaryTest, FinishNewReplacesNothing) {
  for (const bool nameless : {false, true}) {
    ASSERT_TRUE(WriteWhole(Path("a"), "mine").ok());
    const auto file = BeginFile({.may_be_nameless = nameless});
    ASSERT_NE(file, nullptr);
    EXPECT_EQ(file->FinishNew().code(), absl::StatusCode::kAlreadyExists);
    EXPECT_EQ(TextOf("a"), "mine");
    EXPECT_EQ(Files(), 1);
    ASSERT_TRUE(fs::remove(Path("a")));
    ASSERT_TRUE(BeginFile({.may_be_nameless = nameless})->FinishNew().ok());
    EXPECT_EQ(TextOf("a"), "half");
    EXPECT_EQ(Files(), 1);
  }
}

TEST_F(TemporaryTest, FilesOfAKilledProcessAreRemoved) {
  WritingProcess file([&] { return BeginFile(kNamed); });
  WritingProcess folder([&] { return BeginFolder(); });
  ASSERT_TRUE(file.has_begun() && folder.has_begun());
  EXPECT_EQ(Files(), 2);
  RemoveAbandoned(Path("a"));
  EXPECT_EQ(Files(), 2) << "both are alive";
  file.Kill();
  RemoveAbandoned(Path("a"));
  EXPECT_EQ(Files(), 1);
  folder.Kill();
  RemoveAbandoned(Path("a"));
  EXPECT_EQ(Files(), 0);
}

// A thread of the same process is a living writer too.
TEST_F(TemporaryTest, FilesOfThisProcessStay) {
  const auto file = BeginFile(kNamed);
  const auto folder = BeginFolder();
  RemoveAbandoned(Path("a"));
  EXPECT_EQ(Files(), 2);
  EXPECT_TRUE(file->Finish().ok());
  RemoveAbandoned(Path("a"));
  EXPECT_EQ(TextOf("a"), "half");
}

// Killed before it has made the lock.
TEST_F(TemporaryTest, AnEmptyFolderIsRemoved) {
  fs::create_directory(TemporaryNameOf(Path("a")));
  RemoveAbandoned(Path("a"));
  EXPECT_EQ(Files(), 0);
}

TEST_F(TemporaryTest, OtherFilesStay) {
  const char* const kNames[] = {"a",
                                "b.0123456789abcdef.tmp",
                                "a.tmp",
                                "a.123.tmp",
                                "a.0123456789ABCDEF.tmp",
                                "a.0123456789abcdef.tmp.gz",
                                "a0123456789abcdef.tmp"};
  for (const char* const name : kNames) std::ofstream(Path(name)) << "somebody's";
  fs::create_symlink("a", Path("a.0123456789abcdee.tmp"));
  fs::create_directory(Path("a.0123456789abcded.tmp"));
  std::ofstream(Path("a.0123456789abcded.tmp/notes")) << "somebody's";
  RemoveAbandoned(Path("a"));
  EXPECT_EQ(Files(), 9);
}

}  // namespace
}  // namespace thalweg::files
