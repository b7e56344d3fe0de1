// The tile that the viewer's tests decode (client/web/test/vectors/tile.tlw, tile.json). The
// contract and the codec still read the same values from it.
#include <google/protobuf/struct.pb.h>
#include <google/protobuf/util/json_util.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "proto/wire/tile_codec.h"
#include "proto/wire/tile_key.h"
#include "thalweg/v1/tile.pb.h"

namespace thalweg {
namespace {

std::string Read(const std::string& name) {
  std::ifstream file(THALWEG_SOURCE_DIR "/client/web/test/vectors/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The checksum of the values as little-endian numbers (ISO 3309).
std::uint32_t Crc32(const std::vector<std::int32_t>& values) {
  std::uint32_t crc = ~0U;
  for (const std::int32_t value : values) {
    for (int shift = 0; shift < 32; shift += 8) {
      crc ^= static_cast<std::uint32_t>(value) >> shift & 255U;
      for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ ((crc & 1U) != 0 ? 0xEDB8'8320U : 0);
    }
  }
  return ~crc;
}

TEST(WebTileTest, HasTheValuesThatTheViewerReads) {
  google::protobuf::Struct golden;
  ASSERT_TRUE(google::protobuf::util::JsonStringToMessage(Read("tile.json"), &golden).ok());
  v1::Tile tile;
  ASSERT_TRUE(tile.ParseFromString(Read("tile.tlw")));
  EXPECT_EQ(tile.geometric_error(), golden.fields().at("geometricError").number_value());
  const auto& layers = golden.fields().at("layers").list_value().values();
  ASSERT_EQ(tile.layers_size(), layers.size());
  for (int n = 0; n < layers.size(); ++n) {
    const v1::TileLayer& layer = tile.layers(n);
    const auto expected = [&](const char* name) {
      return layers[n].struct_value().fields().at(name).number_value();
    };
    EXPECT_EQ(layer.layer(), expected("layer"));
    EXPECT_EQ(layer.lattice_shift(), expected("latticeShift"));
    EXPECT_EQ(layer.min(), expected("min"));
    EXPECT_EQ(layer.max(), expected("max"));
    const auto values = wire::DecodeLayer(layer.data(), wire::kTileVertices, wire::kTileVertices,
                                          static_cast<int>(layer.lattice_shift()));
    ASSERT_TRUE(values.ok()) << values.status();
    EXPECT_EQ(values->front(), expected("first"));
    EXPECT_EQ((*values)[33'024], expected("middle"));
    EXPECT_EQ(values->back(), expected("last"));
    EXPECT_EQ(Crc32(*values), expected("crc32"));
  }
}

}  // namespace
}  // namespace thalweg
