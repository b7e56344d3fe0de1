// Keeps two bakes from writing one file at the same time.
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "proto/files/whole_file.h"

namespace thalweg::cli {

// Held while a bake writes a file. The lock is one of the kernel, on FILE.bake.lock, so it ends
// with its process; what a killed bake leaves of it stops nobody, and goes with the next bake.
class BakeLock {
 public:
  // FAILED_PRECONDITION if another process bakes the file. In a folder or on a file system where
  // nothing can be locked, nothing is, and no file is left.
  static absl::StatusOr<std::unique_ptr<BakeLock>> Take(const std::string& out);
  // Removes the lock's file.
  ~BakeLock();
  BakeLock(const BakeLock&) = delete;
  BakeLock& operator=(const BakeLock&) = delete;

 private:
  explicit BakeLock(int file);

  // Of the lock's file; empty until the lock is taken.
  std::string path_;
  const files::Descriptor file_;
};

}  // namespace thalweg::cli
