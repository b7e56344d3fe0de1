// A folder for one test, which is removed after it.
#pragma once

#include <filesystem>
#include <string>

namespace thalweg::access {

class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string Path(const std::string& name) const { return (folder_ / name).string(); }
  const std::filesystem::path& path() const { return folder_; }
  // Replaces a file by a rename, as editors and secret mounts do. Returns its path.
  std::string Put(const std::string& name, const std::string& text) const;
  // Replaces a file by a named pipe, which nobody writes into. Returns its path.
  std::string PutPipe(const std::string& name) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace thalweg::access
