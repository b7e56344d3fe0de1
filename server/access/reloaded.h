// A value that is made from files, and made again when they have changed.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "server/access/file_stamp.h"
#include "server/access/rate_limiter.h"

namespace thalweg::access {

// Called after every reading but the first, with the file and the outcome. Must be thread-safe.
using ReloadListener = std::function<void(const std::string& file, const absl::Status& outcome)>;

struct ReloadOptions {
  Clock clock = [] { return std::chrono::steady_clock::now(); };
  // The max age of the value that Get returns.
  std::chrono::milliseconds interval{1'000};
  ReloadListener listener = [](const std::string&, const absl::Status&) {};
};

// A value that is made from files. Get checks the files, at most once in each interval; no thread
// watches them. If the files are invalid, the last value stays until they change again.
// Thread-safe.
template <typename Value>
class Reloaded {
 public:
  using Pointer = std::shared_ptr<const Value>;
  // Reads the files. `last` is the last value, null at first.
  using Load = std::function<absl::StatusOr<Pointer>(const Pointer& last)>;

  // Reads the files for the first time. Returns an error of `load`.
  static absl::StatusOr<std::unique_ptr<Reloaded>> Open(std::vector<std::string> files, Load load,
                                                        ReloadOptions options) {
    std::unique_ptr<Reloaded> reloaded(
        new Reloaded(std::move(files), std::move(load), std::move(options)));
    reloaded->stamps_ = reloaded->Stamps();
    absl::StatusOr<Pointer> value = reloaded->load_(nullptr);
    if (!value.ok()) return value.status();
    reloaded->value_ = *std::move(value);
    return reloaded;
  }

  // The newest value. The thread that finds that the files have changed reads them; meanwhile other
  // threads get the last value.
  Pointer Get() {
    std::unique_lock lock(mutex_);
    const Time now = options_.clock();
    if (reading_ || now - looked_ < options_.interval) return value_;
    looked_ = now;
    reading_ = true;
    const Pointer last = value_;
    lock.unlock();
    // Taken before the files are read: a change meanwhile is found by the next check.
    std::vector<FileStamp> stamps = Stamps();
    const bool changed = stamps != stamps_;
    absl::StatusOr<Pointer> value = changed ? load_(last) : last;
    lock.lock();
    stamps_ = std::move(stamps);
    if (value.ok()) value_ = *value;
    reading_ = false;
    Pointer newest = value_;
    lock.unlock();
    if (changed) options_.listener(files_.front(), value.status());
    return newest;
  }

 private:
  Reloaded(std::vector<std::string> files, Load load, ReloadOptions options)
      : files_(std::move(files)),
        load_(std::move(load)),
        options_(std::move(options)),
        looked_(options_.clock()) {}

  std::vector<FileStamp> Stamps() const {
    std::vector<FileStamp> stamps;
    for (const std::string& file : files_) stamps.push_back(StampOf(file));
    return stamps;
  }

  const std::vector<std::string> files_;
  const Load load_;
  const ReloadOptions options_;

  std::mutex mutex_;
  Time looked_;
  bool reading_ = false;
  Pointer value_;
  // The files' stamps at the last reading. Used only by the thread that reads.
  std::vector<FileStamp> stamps_;
};

}  // namespace thalweg::access
