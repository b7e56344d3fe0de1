// A folder of a test's own, gone after it.
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
  // Replaces a file as editors and secret mounts do: by a rename. Gives its path.
  std::string Put(const std::string& name, const std::string& text) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace thalweg::access
