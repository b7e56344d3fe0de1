// A value that is made from files, and made again when they have changed.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "server/sharing/rate_limiter.h"

namespace thalweg::access {

// A stamp shows whether a file has changed. Two states of a path with equal stamps count as equal.
// Replacing a file by a rename, as editors and secret mounts do, always changes the stamp.
struct FileStamp {
  dev_t device = 0;
  ino_t inode = 0;
  off_t bytes = 0;
  std::int64_t modified_s = 0;
  std::int64_t modified_ns = 0;

  friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

// The stamp of a path. A missing file has a default stamp.
FileStamp StampOf(const std::string& path);

// Returns the text of a file, or an error that names it.
using ReadFile = std::function<absl::StatusOr<std::string>(const std::string& path)>;

// What a look at files found.
struct FilesFound {
  // Taken before the files were read: a change meanwhile is found by the next look.
  std::vector<FileStamp> stamps;
  // The texts or the first error; absent if the stamps are the known ones.
  std::optional<absl::StatusOr<std::vector<std::string>>> texts;
};

// Each look has a thread of its own, since every system call may block for ever on a mount whose
// server is gone. Such a thread is given up: nobody waits for it, and it ends with the process or
// when the mount answers. Not thread-safe.
class FileReader {
 public:
  FileReader(std::vector<std::string> files, ReadFile read);

  // Begins a look, and gives up the one under way, if there is one. Reads the files if their stamps
  // are not those that are known. Does nothing if too many threads are blocked.
  void Begin(std::vector<FileStamp> known);
  // Whether a look has begun and Await has not returned what it found.
  bool is_reading() const { return found_.valid(); }
  // What the look found; nothing if it is not over within the time.
  std::optional<FilesFound> Await(std::chrono::milliseconds patience);
  // The file that the look under way has come to.
  const std::string& file() const { return files_[*at_]; }

 private:
  const std::vector<std::string> files_;
  const ReadFile read_;
  // Shared with the threads, which may outlive this object.
  const std::shared_ptr<std::atomic<int>> threads_ = std::make_shared<std::atomic<int>>(0);
  std::shared_ptr<std::atomic<std::size_t>> at_ = std::make_shared<std::atomic<std::size_t>>(0);
  std::future<FilesFound> found_;
};

// The bytes of a file of at most a mebibyte, or of a pipe, for which it waits. NOT_FOUND,
// PERMISSION_DENIED or another error of the system, with the path.
absl::StatusOr<std::string> ReadTextFile(const std::string& path);

// As ReadTextFile, but of regular files only: INVALID_ARGUMENT for pipes, folders and devices. It
// waits for a disk or a mount, and for no other process.
absl::StatusOr<std::string> ReadRegularFile(const std::string& path);

// Called after every reading but the first, with the file and the outcome. Must be thread-safe.
using ReloadListener = std::function<void(const std::string& file, const absl::Status& outcome)>;

struct ReloadOptions {
  sharing::Clock clock = [] { return std::chrono::steady_clock::now(); };
  // The max age of the value that Get returns.
  std::chrono::milliseconds interval{1'000};
  ReloadListener listener = [](const std::string&, const absl::Status&) {};
  // Called with a line for operators about what is allowed and may not be meant. Must be
  // thread-safe.
  std::function<void(const std::string& line)> warn = [](const std::string&) {};
  ReadFile read = ReadRegularFile;
  // How long a thread waits for a reading, and how long the first one may take: mounts may begin at
  // their first use.
  std::chrono::milliseconds patience{2'000};
  std::chrono::milliseconds first_patience{10'000};
};

// A value that is made from files. Get checks the files, at most once in each interval; no thread
// watches them. If the files are invalid, the last value stays until they change again; if they
// can't be read, or `load` says FAILED_PRECONDITION, until they can or it does not. A reading that
// blocks is given up after 10 s, then after twice that time, and so on. Thread-safe.
template <typename Value>
class Reloaded {
 public:
  using Pointer = std::shared_ptr<const Value>;
  // Makes the value from the files' texts, in their order. `last` is the last value, null at first.
  // FAILED_PRECONDITION: the files may become right without a change, as a certificate does that is
  // valid from tomorrow.
  using Load = std::function<absl::StatusOr<Pointer>(const std::vector<std::string>& texts,
                                                     const Pointer& last)>;

  // Reads the files for the first time. Returns an error of the reading or of `load`, or
  // DEADLINE_EXCEEDED.
  static absl::StatusOr<std::unique_ptr<Reloaded>> Open(std::vector<std::string> files, Load load,
                                                        ReloadOptions options) {
    std::unique_ptr<Reloaded> reloaded(
        new Reloaded(std::move(files), std::move(load), std::move(options)));
    FileReader& reader = reloaded->reader_;
    const std::chrono::milliseconds patience = reloaded->options_.first_patience;
    reader.Begin({});
    std::optional<FilesFound> found = reader.Await(patience);
    if (!found) return absl::DeadlineExceededError(reloaded->Unanswered(patience));
    if (!found->texts->ok()) return found->texts->status();
    absl::StatusOr<Pointer> value = reloaded->load_(**found->texts, nullptr);
    if (!value.ok()) return value.status();
    reloaded->value_ = *std::move(value);
    reloaded->stamps_ = std::move(found->stamps);
    return reloaded;
  }

  // The newest value. The thread that finds that the files have changed reads them; meanwhile other
  // threads get the last value.
  Pointer Get() {
    std::unique_lock lock(mutex_);
    const sharing::Time now = options_.clock();
    if (checking_ || now - looked_ < options_.interval) return value_;
    return Check(std::move(lock), now, false);
  }

  // As Get, but checks the files now, and reads those again that were wrong.
  Pointer LookNow() {
    std::unique_lock lock(mutex_);
    checked_.wait(lock, [this] { return !checking_; });
    return Check(std::move(lock), options_.clock(), true);
  }

 private:
  static constexpr std::chrono::seconds kFirstPause{10};

  Reloaded(std::vector<std::string> files, Load load, ReloadOptions options)
      : files_(std::move(files)),
        load_(std::move(load)),
        options_(std::move(options)),
        reader_(files_, options_.read),
        looked_(options_.clock()) {}

  std::string Unanswered(std::chrono::milliseconds patience) const {
    return absl::StrCat("read ", reader_.file(), ": no answer within ",
                        static_cast<double>(patience.count()) / 1'000,
                        " s; check the disk or mount that it is on");
  }

  // `now`: whether the caller asks for it, rather than the interval.
  Pointer Check(std::unique_lock<std::mutex> lock, sharing::Time time, bool now) {
    looked_ = time;
    checking_ = true;
    const Pointer last = value_;
    lock.unlock();
    absl::StatusOr<Pointer> value = last;
    const bool tell = LookAndLoad(time, now, last, value);
    lock.lock();
    if (value.ok()) value_ = *value;
    checking_ = false;
    Pointer newest = value_;
    lock.unlock();
    checked_.notify_all();
    if (tell) options_.listener(files_.front(), value.status());
    return newest;
  }

  // Replaces the value if the files have changed. Whether the outcome is to be told. Called by one
  // thread at a time.
  bool LookAndLoad(sharing::Time time, bool now, const Pointer& last,
                   absl::StatusOr<Pointer>& value) {
    const bool blocked = reader_.is_reading();
    if (!blocked || now || time - began_ >= pause_) {
      if (!now) pause_ = blocked ? 2 * pause_ : kFirstPause;
      began_ = time;
      if (now && wrong_) stamps_.clear();
      reader_.Begin(stamps_);
    }
    // Nobody waits twice for the same files.
    std::optional<FilesFound> found =
        reader_.Await(blocked && !now ? std::chrono::milliseconds(0) : options_.patience);
    if (!found) {
      if (reader_.is_reading() && !unanswered_) {
        unanswered_ = true;
        options_.warn(
            absl::StrCat(Unanswered(options_.patience), "; the server keeps what it read before"));
      }
      return false;
    }
    const bool answers_again = std::exchange(unanswered_, false);
    if (!found->texts) {
      stamps_ = std::move(found->stamps);
      return answers_again;
    }
    const absl::Status read = found->texts->status();
    value = read.ok() ? load_(**found->texts, last) : absl::StatusOr<Pointer>(read);
    wrong_ = !value.ok();
    // What may pass without a change of the files is tried again by the next check, and told once.
    const bool passes = !read.ok() || absl::IsFailedPrecondition(value.status());
    stamps_ = passes ? std::vector<FileStamp>() : std::move(found->stamps);
    const absl::Status passing = passes ? value.status() : absl::OkStatus();
    const bool news = passing.ok() || now || passing != passing_;
    passing_ = passing;
    return news;
  }

  const std::vector<std::string> files_;
  const Load load_;
  const ReloadOptions options_;

  // These are used only by the thread that checks.
  FileReader reader_;
  // The files' stamps at the last reading; empty if it failed.
  std::vector<FileStamp> stamps_;
  absl::Status passing_;     // why there was no value, if that may pass without a change
  bool wrong_ = false;       // whether the last reading gave no value
  bool unanswered_ = false;  // whether it was told that a reading blocks
  sharing::Time began_;      // when the last look began
  std::chrono::seconds pause_ = kFirstPause;

  std::mutex mutex_;
  std::condition_variable checked_;
  sharing::Time looked_;
  bool checking_ = false;
  Pointer value_;
};

}  // namespace thalweg::access
