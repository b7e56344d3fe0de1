// Reading a tile's facts: what the reader accepts, and nothing else, is a tile for Protobuf too.
#include "server/session/tile_header.h"

#include <cstdlib>
#include <string>

#include "tests/fuzz/target.h"
#include "thalweg/v1/tile.pb.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const auto facts = thalweg::session::ReadFacts(bytes);
  thalweg::v1::Tile tile;
  if (!facts.ok() || !tile.ParseFromString(bytes)) return 0;
  const thalweg::v1::TileLayer* height = nullptr;
  for (const auto& layer : tile.layers()) {
    if (layer.layer() == thalweg::v1::LAYER_HEIGHT) height = &layer;
  }
  if (height == nullptr || height->min() != facts->min_height ||
      height->max() != facts->max_height || tile.geometric_error() != facts->geometric_error) {
    std::abort();
  }
  return 0;
}
