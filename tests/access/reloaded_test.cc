#include "server/access/reloaded.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <condition_variable>
#include <mutex>
#include <thread>

#include "tests/access/temporary_folder.h"

namespace thalweg::access {
namespace {

using ::testing::HasSubstr;

// Where readings block, fail or find the file empty, as a test says. Thread-safe.
class Mount {
 public:
  absl::StatusOr<std::string> Read(const std::string& path) {
    std::unique_lock lock(mutex_);
    if (std::exchange(empty_once_, false)) return "";
    if (fails_) return absl::DataLossError("read " + path + ": Input/output error");
    if (blocks_) {
      ++blocked_;
      changed_.notify_all();
      changed_.wait(lock, [this] { return released_; });
    }
    return ReadRegularFile(path);
  }

  void SetBlocks(bool blocks) { Set(blocks_, blocks); }
  void SetFails(bool fails) { Set(fails_, fails); }
  void EmptyOnce() { Set(empty_once_, true); }
  // Ends the readings that are blocked.
  void Release() { Set(released_, true); }
  void AwaitBlocked() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return blocked_ > 0; });
  }

 private:
  void Set(bool& flag, bool value) {
    const std::lock_guard lock(mutex_);
    flag = value;
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  bool blocks_ = false;
  bool fails_ = false;
  bool empty_once_ = false;
  bool released_ = false;
  int blocked_ = 0;
};

class ReloadedTest : public testing::Test {
 protected:
  using Text = Reloaded<std::string>;

  ReloadedTest() {
    options_.clock = [this] { return now_; };
    options_.interval = std::chrono::milliseconds(0);
    options_.patience = std::chrono::minutes(1);
    options_.first_patience = std::chrono::minutes(1);
    options_.read = [mount = mount_](const std::string& path) { return mount->Read(path); };
    options_.warn = [this](const std::string& line) { warnings_.push_back(line); };
    options_.listener = [this](const std::string&, const absl::Status& outcome) {
      outcomes_.push_back(outcome);
    };
    folder_.Put("file", "one");
  }
  ~ReloadedTest() override { mount_->Release(); }

  absl::Status Open() {
    const auto load = [this](const std::vector<std::string>& texts,
                             const Text::Pointer&) -> absl::StatusOr<Text::Pointer> {
      if (refuses_) return refusal_;
      return std::make_shared<const std::string>(texts.front());
    };
    auto text = Text::Open({folder_.Path("file")}, load, options_);
    if (text.ok()) text_ = *std::move(text);
    return text.status();
  }
  // Opens the file, and replaces it by one whose reading blocks.
  void BlockSecond() {
    ASSERT_TRUE(Open().ok());
    mount_->SetBlocks(true);
    folder_.Put("file", "two");
    // Get waits for no reading from now on.
    EXPECT_EQ(*text_->Get(), "one");
    mount_->AwaitBlocked();
  }
  void AwaitValue(const std::string& value) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (*text_->Get() != value && std::chrono::steady_clock::now() < end) {
      std::this_thread::yield();
    }
    EXPECT_EQ(*text_->Get(), value);
  }

  // Threads that were given up may use it after the test.
  const std::shared_ptr<Mount> mount_ = std::make_shared<Mount>();
  const TemporaryFolder folder_;
  ReloadOptions options_;
  sharing::Time now_{};
  bool refuses_ = false;
  absl::Status refusal_ = absl::InvalidArgumentError("not valid");
  std::vector<std::string> warnings_;
  std::vector<absl::Status> outcomes_;
  std::unique_ptr<Text> text_;
};

TEST_F(ReloadedTest, ABlockedReadIsReportedOnceAndDelaysNobody) {
  options_.patience = std::chrono::milliseconds(0);
  BlockSecond();
  for (int k = 0; k < 3; ++k) EXPECT_EQ(*text_->Get(), "one");
  ASSERT_EQ(warnings_.size(), 1U);
  EXPECT_THAT(warnings_[0], HasSubstr("read " + folder_.Path("file") + ": no answer within "));
  EXPECT_TRUE(outcomes_.empty());
  mount_->SetBlocks(false);
  mount_->Release();
  AwaitValue("two");
}

TEST_F(ReloadedTest, ABlockedReadDoesNotDelayTheDestructor) {
  options_.patience = std::chrono::milliseconds(0);
  BlockSecond();
  text_.reset();
}

// The old mount never answers, but a new one has taken its place.
TEST_F(ReloadedTest, RetriesWhileAReadIsBlocked) {
  options_.patience = std::chrono::milliseconds(0);
  BlockSecond();
  mount_->SetBlocks(false);
  for (int k = 0; k < 3; ++k) EXPECT_EQ(*text_->Get(), "one");
  now_ += std::chrono::seconds(10);
  AwaitValue("two");
  folder_.Put("file", "three");
  AwaitValue("three");
  mount_->Release();
  EXPECT_EQ(*text_->Get(), "three");
}

TEST_F(ReloadedTest, LookNowReadsWhileAReadIsBlocked) {
  options_.patience = std::chrono::milliseconds(0);
  BlockSecond();
  mount_->SetBlocks(false);
  text_->LookNow();
  AwaitValue("two");
}

TEST_F(ReloadedTest, LookNowDoesNotWaitForTheInterval) {
  options_.interval = std::chrono::seconds(1);
  ASSERT_TRUE(Open().ok());
  folder_.Put("file", "two");
  EXPECT_EQ(*text_->Get(), "one");
  EXPECT_EQ(*text_->LookNow(), "two");
  EXPECT_EQ(*text_->LookNow(), "two");
  EXPECT_EQ(outcomes_.size(), 1U);
}

TEST_F(ReloadedTest, LookNowRetriesAnInvalidFile) {
  ASSERT_TRUE(Open().ok());
  folder_.Put("file", "two");
  refuses_ = true;
  for (int k = 0; k < 3; ++k) EXPECT_EQ(*text_->Get(), "one");
  refuses_ = false;
  EXPECT_EQ(*text_->Get(), "one");
  EXPECT_EQ(outcomes_.size(), 1U);
  EXPECT_EQ(*text_->LookNow(), "two");
}

// Such as a certificate that was valid only later.
TEST_F(ReloadedTest, RetriesAFileThatMayBecomeValid) {
  ASSERT_TRUE(Open().ok());
  folder_.Put("file", "two");
  refuses_ = true;
  refusal_ = absl::FailedPreconditionError("not valid yet");
  for (int k = 0; k < 3; ++k) EXPECT_EQ(*text_->Get(), "one");
  EXPECT_EQ(outcomes_, std::vector{refusal_});
  refusal_ = absl::FailedPreconditionError("no longer valid");
  EXPECT_EQ(*text_->Get(), "one");
  EXPECT_EQ(outcomes_.size(), 2U);
  refuses_ = false;
  for (int k = 0; k < 3; ++k) EXPECT_EQ(*text_->Get(), "two");
  ASSERT_EQ(outcomes_.size(), 3U);
  EXPECT_TRUE(outcomes_[2].ok());
}

TEST_F(ReloadedTest, RetriesAFileThatCouldNotBeRead) {
  ASSERT_TRUE(Open().ok());
  folder_.Put("file", "two");
  mount_->SetFails(true);
  for (int k = 0; k < 3; ++k) EXPECT_EQ(*text_->Get(), "one");
  EXPECT_EQ(outcomes_.size(), 1U);
  mount_->SetFails(false);
  EXPECT_EQ(*text_->Get(), "two");
  ASSERT_EQ(outcomes_.size(), 2U);
  EXPECT_TRUE(outcomes_[1].ok());
}

TEST_F(ReloadedTest, ABlockedFirstReadTimesOut) {
  options_.first_patience = std::chrono::milliseconds(0);
  mount_->SetBlocks(true);
  const absl::Status blocked = Open();
  EXPECT_EQ(blocked.code(), absl::StatusCode::kDeadlineExceeded);
  EXPECT_THAT(std::string(blocked.message()), HasSubstr(folder_.Path("file")));
}

// Editors that write in place empty the file first.
TEST_F(ReloadedTest, WaitsWhileAnEditorHasEmptiedTheFile) {
  ASSERT_TRUE(Open().ok());
  folder_.Put("file", "two");
  mount_->EmptyOnce();
  EXPECT_EQ(*text_->Get(), "two");
  folder_.Put("file", "");
  EXPECT_EQ(*text_->Get(), "");
}

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
  EXPECT_THAT(std::string(status.message()), HasSubstr(" is larger than 1 MiB"));
}

// Nobody writes into this pipe, so whoever opens it to read it waits for ever.
TEST(TextFileTest, RefusesAnythingButRegularFiles) {
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
