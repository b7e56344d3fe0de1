// Files that are either complete or missing.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace thalweg::cli {

// A file that gets its name only when it is complete. It is written without a name if the system
// can do that, otherwise under a temporary name beside the final one; Commit renames it. Symbolic
// links are followed. A pipe, a device or another special file is written to directly; "-" is the
// standard output. Errors name the operation, the path and the reason. Not thread-safe.
class OutputFile {
 public:
  // Fails at once, not after an hour of work, if the file can't be written.
  static absl::StatusOr<OutputFile> Create(const std::string& path);

  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;
  // Without a Commit, leaves no file.
  ~OutputFile();

  absl::Status Write(std::span<const std::uint8_t> bytes);

  // Writes all bytes and commits.
  absl::Status WriteAll(const std::string& bytes);

  // Gives the file its name and replaces any older one. Call it once, after the last Write.
  absl::Status Commit();

 private:
  enum class Kind : std::uint8_t { kNameless, kNamed, kDirect };

  OutputFile(std::string shown, std::string target, std::string temporary, int file, Kind kind);

  absl::Status Error(const char* operation, int error) const;

  // The path as the caller gave it, and the path with links resolved.
  std::string shown_;
  std::string target_;
  std::string temporary_;
  // Owned; -1 once closed.
  int file_;
  Kind kind_;
};

}  // namespace thalweg::cli
