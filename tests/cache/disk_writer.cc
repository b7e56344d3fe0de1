// disk_writer FOLDER FIRST COUNT: saves tiles FIRST to FIRST + COUNT - 1 in a disk cache and prints
// the number of each saved tile. Then it waits until it is killed.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "server/cache/disk/disk_cache.h"
#include "tests/cache/sample_tiles.h"

int main(int, char** argv) {
  using namespace thalweg::cache;
  const auto cache = DiskCache::Open({.folder = argv[1], .budget_bytes = kMinDiskCacheBytes});
  if (!cache.ok()) {
    std::fprintf(stderr, "disk_writer: %s\n", std::string(cache.status().message()).c_str());
    return 1;
  }
  const std::int64_t first = std::atoll(argv[2]);
  const std::int64_t end = first + std::atoll(argv[3]);
  for (std::int64_t n = first; n < end; ++n) {
    if ((*cache)->Save(SampleId(n), SampleTile(n)) != SaveOutcome::kSaved) return 2;
    // A single write, so that no line is cut off.
    const std::string line = std::to_string(n) + "\n";
    if (write(STDOUT_FILENO, line.data(), line.size()) < 0) return 3;
  }
  pause();
}
