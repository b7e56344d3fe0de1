#include "tests/access/temporary_folder.h"

#include <sys/stat.h>

#include <cstdlib>
#include <fstream>

namespace thalweg::access {

TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "thalweg-access-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) std::abort();
  folder_ = name;
}

TemporaryFolder::~TemporaryFolder() { std::filesystem::remove_all(folder_); }

std::string TemporaryFolder::Put(const std::string& name, const std::string& text) const {
  const std::string beside = Path(name + ".new");
  std::ofstream(beside, std::ios::binary) << text;
  std::filesystem::rename(beside, Path(name));
  return Path(name);
}

std::string TemporaryFolder::PutPipe(const std::string& name) const {
  const std::string beside = Path(name + ".new");
  if (mkfifo(beside.c_str(), 0600) != 0) std::abort();
  std::filesystem::rename(beside, Path(name));
  return Path(name);
}

}  // namespace thalweg::access
