// The server's configuration file. If it is accepted, so is the text that the server prints for it.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "server/commands/config.h"
#include "tests/fuzz/target.h"

namespace {

// A file in memory: the server reads configurations by their path.
class File {
 public:
  File() : descriptor_(memfd_create("config", 0)) {
    if (descriptor_ < 0) std::abort();
  }

  // Writes the text into the file, and returns its path.
  std::string Put(const std::string& text) const {
    if (ftruncate(descriptor_, 0) != 0 ||
        pwrite(descriptor_, text.data(), text.size(), 0) != static_cast<ssize_t>(text.size())) {
      std::abort();
    }
    return "/proc/self/fd/" + std::to_string(descriptor_);
  }

 private:
  const int descriptor_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace thalweg::commands;
  static const File file;
  const auto config = ReadConfig(file.Put(std::string(reinterpret_cast<const char*>(data), size)));
  if (!config.ok()) {
    if (config.status().message().empty()) std::abort();
    return 0;
  }
  const bool checked = CheckConfig(*config).ok();
  const std::string printed = PrintConfig(*config);
  const auto again = ReadConfig(file.Put(printed));
  if (!again.ok() || PrintConfig(*again) != printed || CheckConfig(*again).ok() != checked) {
    std::abort();
  }
  return 0;
}
