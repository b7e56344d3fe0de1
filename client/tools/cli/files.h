// Files that the command reads and writes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "proto/base/temporary.h"
#include "proto/base/whole_file.h"

namespace thalweg::cli {

// Returns the bytes of a file, or of the standard input for "-". The system's error, with the path,
// if it can't be read; INVALID_ARGUMENT if it has more than max_bytes.
absl::StatusOr<std::string> ReadInputFile(const std::string& path, std::size_t max_bytes);

// A file that gets its name only when it is complete; without a Commit, it leaves no file. Symbolic
// links are followed. A pipe, a device or another special file is written to directly; "-" is the
// standard output. Errors name the operation, the path and the reason. Not thread-safe.
class OutputFile {
 public:
  // Fails at once, not after an hour of work, if the file can't be written.
  static absl::StatusOr<OutputFile> Create(const std::string& path);
  // The same. Removes first what killed processes left of this file, which takes a look at the
  // whole folder.
  static absl::StatusOr<OutputFile> CreateAfterOthers(const std::string& path);

  absl::Status Write(std::span<const std::uint8_t> bytes);

  // Writes all bytes and commits.
  absl::Status WriteAll(const std::string& bytes);

  // Gives the file its name and replaces any older one. Call it once, after the last Write.
  absl::Status Commit();

 private:
  OutputFile(std::string shown, int direct);
  OutputFile(std::string shown, std::unique_ptr<files::TemporaryFile> whole);

  // The path as the caller gave it.
  std::string shown_;
  // One of the two, until the Commit.
  std::unique_ptr<files::TemporaryFile> whole_;
  std::unique_ptr<files::Descriptor> direct_;
};

}  // namespace thalweg::cli
