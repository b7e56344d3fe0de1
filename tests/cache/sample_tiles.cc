#include "tests/cache/sample_tiles.h"

#include <memory>
#include <random>

namespace thalweg::cache {

MacKeys SampleKeys() {
  MacKeys keys;
  keys.signing.fill(0x5a);
  return keys;
}

MacKeys OtherKeys() {
  MacKeys keys;
  keys.signing.fill(0xa5);
  return keys;
}

TileBytes SampleTile(std::int64_t n, std::size_t min_size) {
  std::mt19937_64 random(static_cast<std::uint64_t>(n) + 1);
  std::string bytes;
  bytes.resize(min_size + random() % 1'000);
  for (char& byte : bytes) byte = static_cast<char>(random() & 0xff);
  return std::make_shared<const std::string>(std::move(bytes));
}

Inventory TakeInventory(TileStore& store, int count, std::size_t min_size) {
  Inventory inventory;
  for (int n = 0; n < count; ++n) {
    const TileBytes bytes = store.Load(SampleId(n)).bytes;
    if (bytes == nullptr) {
      ++inventory.missing;
    } else if (*bytes == *SampleTile(n, min_size)) {
      ++inventory.right;
    } else {
      ++inventory.wrong;
    }
  }
  return inventory;
}

}  // namespace thalweg::cache
