// Decodes a layer. The first bytes are its sizes and lattice, the rest its data. Decoded values
// must be the same after they are encoded and decoded again.
#include "proto/wire/tile_codec.h"

#include <cstdlib>
#include <string_view>

#include "tests/fuzz/target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace thalweg::wire;
  if (size < 3) return 0;
  const int width = data[0];
  const int height = data[1];
  const int shift = data[2];
  const std::string_view text(reinterpret_cast<const char*>(data) + 3, size - 3);
  const auto values = DecodeLayer(text, width, height, shift);
  if (!values.ok()) return 0;
  const auto again =
      DecodeLayer(EncodeLayer(*values, width, height, shift).data, width, height, shift);
  if (!again.ok() || again->size() != values->size()) std::abort();
  for (std::size_t n = 0; n < values->size(); ++n) {
    if ((*again)[n] != RoundToLattice((*values)[n], shift)) std::abort();
  }
  return 0;
}
