// Looks at files without waiting for them for ever.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "server/access/file_stamp.h"

namespace thalweg::access {

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
  bool is_under_way() const { return found_.valid(); }
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

}  // namespace thalweg::access
