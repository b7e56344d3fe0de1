// Files and folders that exist until a file is whole. Their writer holds a lock, so that others can
// tell what a dead process left.
#pragma once

#include <fcntl.h>
#include <sys/types.h>

#include <memory>
#include <string>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "proto/base/whole_file.h"

namespace thalweg::files {

struct TemporaryOptions {
  // O_WRONLY or O_RDWR.
  int access = O_WRONLY;
  mode_t mode = 0666;
  // Errors of Create are "OPERATION 'SHOWN': ..."; `shown` is the path if it is empty.
  std::string_view operation = "create";
  std::string_view shown = "";
  // Whether it may have no name until it is whole, where the system can do that: such a file goes
  // with its process.
  bool may_be_nameless = true;
};

// A file that gets its own name once it is whole. Without Finish, leaves nothing. Not thread-safe.
class TemporaryFile {
 public:
  static absl::StatusOr<std::unique_ptr<TemporaryFile>> Create(
      const std::string& path, const TemporaryOptions& options = {});
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  // The descriptor to write to. Of no use after Finish.
  int number() const { return file_; }

  // Waits until the file is on the disk, and gives it its name. Finish replaces an older file;
  // FinishNew returns ALREADY_EXISTS instead.
  absl::Status Finish();
  absl::Status FinishNew();

 private:
  TemporaryFile(const std::string& path, std::string_view shown, std::string name, int file);

  absl::Status SyncAndName();
  absl::Status Close();

  const std::string path_;
  const std::string shown_;
  // Empty while the file has no name.
  std::string name_;
  // Owned; -1 once closed.
  int file_;
};

// A folder beside a file, for libraries that open files by name and put others beside them, as
// SQLite and GDAL do. Its own lock is a file in it, since those libraries lock theirs. It is
// removed with all that is in it.
class TemporaryFolder {
 public:
  static absl::StatusOr<std::unique_ptr<TemporaryFolder>> Create(const std::string& path);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  // The path of a file in the folder. NameFinished gives such a file its own name.
  std::string Path(std::string_view name) const;

 private:
  TemporaryFolder(std::string folder, int lock);

  const std::string folder_;
  const Descriptor lock_;
};

// Removes the temporary files and folders of targets in a folder whose writers have died. A target
// is the name of a file, without its folder. What a living process writes stays, in whatever
// container or on whatever machine it runs: see proto/base/README.md.
void RemoveAbandoned(const std::string& folder,
                     absl::FunctionRef<bool(std::string_view target)> is_wanted);

// The same for one file.
void RemoveAbandoned(const std::string& path);

}  // namespace thalweg::files
