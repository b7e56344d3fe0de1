// A file of the client's cache: its name up to a line's end, then its bytes. The checksum in front
// of them is corrected, since otherwise hardly any input would pass it.
#include <xxhash.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include "client/src/store/tile_folder.h"
#include "tests/fuzz/target.h"

namespace {

constexpr std::size_t kHeader = 24;

void Mend(std::string& bytes) {
  if (bytes.size() < kHeader) return;
  const std::uint64_t size = bytes.size() - kHeader;
  const std::uint64_t checksum = XXH3_64bits(bytes.data() + kHeader, size);
  std::memcpy(bytes.data() + 8, &size, sizeof size);
  std::memcpy(bytes.data() + 16, &checksum, sizeof checksum);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace thalweg;
  const std::string input(reinterpret_cast<const char*>(data), size);
  const std::size_t end = input.find('\n');
  const auto tile = FromFileName(input.substr(0, end));
  if (!tile || end == std::string::npos) return 0;
  if (FileNameOf(*tile) != input.substr(0, end)) std::abort();
  std::string bytes = input.substr(end + 1);
  const auto as_it_is = FromFile(bytes, *tile);
  Mend(bytes);
  const auto mended = FromFile(bytes, *tile);
  if (as_it_is.ok() && !mended.ok()) std::abort();
  if (!mended.ok()) return 0;
  // An accepted file contains this tile, and is accepted again after it is written.
  if (FileNameOf(FiledAs(*mended)) != FileNameOf(*tile)) std::abort();
  if (!FromFile(FileOf(*mended), *tile).ok()) std::abort();
  return 0;
}
