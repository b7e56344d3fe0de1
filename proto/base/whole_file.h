// Files that are either whole or not there.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace thalweg::files {

// The error of a system call: "OPERATION 'PATH': No space left on device".
absl::Status SystemError(std::string_view operation, const std::string& path, int error);

// Closes a file descriptor.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor();
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int number() const { return number_; }
  bool is_open() const { return number_ >= 0; }
  // Closes it now. Returns whether the system accepts all that was written; if not, errno says why.
  bool Close();

 private:
  int number_;
};

inline constexpr char kTemporaryEnding[] = ".tmp";

// A name beside a file for the time until it is whole: PATH.0123456789abcdef.tmp. It is random,
// since processes of many machines may write to one folder, and in containers all may have the same
// process id.
std::string TemporaryNameOf(const std::string& path);

// Writes all bytes. Errors of this and of the next ones name the file as `shown`.
absl::Status WriteAll(int file, const std::string& shown, std::string_view bytes);

// Waits until a file is on the disk. Some file systems report a full disk only then.
absl::Status Sync(int file, const std::string& shown);
absl::Status Sync(const std::string& path, const std::string& shown);

// Waits until the names of files in a path's folder are on the disk.
absl::Status SyncFolderOf(const std::string& path);

// Gives a file that is whole and on the disk its name, and replaces any older one. Removes the file
// if that fails.
absl::Status NameFinished(const std::string& temporary, const std::string& path);

// Writes a TemporaryFile (temporary.h), waits until it is on the disk, and gives it its name.
// Whatever happens meanwhile, a file with this name is whole.
absl::Status WriteWhole(const std::string& path, std::string_view bytes, mode_t mode = 0666);

}  // namespace thalweg::files
