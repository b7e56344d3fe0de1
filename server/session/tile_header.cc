#include "server/session/tile_header.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/wire_format_lite.h>

#include <cstdint>

#include "thalweg/v1/tile.pb.h"

namespace thalweg::session {
namespace {

using google::protobuf::internal::WireFormatLite;
using google::protobuf::io::CodedInputStream;

// One field of a message: its number, and its value if that is a varint.
struct Field {
  int number = 0;
  std::uint64_t value = 0;
};

// Reads a varint's value, and steps over anything else but those that `enter` says.
bool ReadField(CodedInputStream& in, int enter, Field& field) {
  const std::uint32_t tag = in.ReadTag();
  if (tag == 0) return false;
  field = {.number = WireFormatLite::GetTagFieldNumber(tag)};
  if (field.number == enter) return true;
  if (WireFormatLite::GetTagWireType(tag) == WireFormatLite::WIRETYPE_VARINT) {
    return in.ReadVarint64(&field.value);
  }
  return WireFormatLite::SkipField(&in, tag);
}

struct LayerHeader {
  std::uint64_t layer = 0;
  std::int32_t min = 0;
  std::int32_t max = 0;
};

LayerHeader ReadLayer(CodedInputStream& in) {
  LayerHeader header;
  const auto signed_of = [](const Field& field) {
    return WireFormatLite::ZigZagDecode32(static_cast<std::uint32_t>(field.value));
  };
  for (Field field; ReadField(in, 0, field);) {
    if (field.number == v1::TileLayer::kLayerFieldNumber) header.layer = field.value;
    if (field.number == v1::TileLayer::kMinFieldNumber) header.min = signed_of(field);
    if (field.number == v1::TileLayer::kMaxFieldNumber) header.max = signed_of(field);
  }
  return header;
}

}  // namespace

absl::StatusOr<lod::TileFacts> ReadFacts(std::string_view tile) {
  CodedInputStream in(reinterpret_cast<const std::uint8_t*>(tile.data()),
                      static_cast<int>(tile.size()));
  lod::TileFacts facts;
  bool has_height = false;
  for (Field field; ReadField(in, v1::Tile::kLayersFieldNumber, field);) {
    if (field.number == v1::Tile::kGeometricErrorFieldNumber) {
      facts.geometric_error = static_cast<std::uint32_t>(field.value);
    }
    if (field.number != v1::Tile::kLayersFieldNumber) continue;
    int size = 0;
    if (!in.ReadVarintSizeAsInt(&size)) break;
    const CodedInputStream::Limit outer = in.PushLimit(size);
    const LayerHeader layer = ReadLayer(in);
    in.PopLimit(outer);
    if (layer.layer != v1::LAYER_HEIGHT) continue;
    has_height = true;
    facts.min_height = layer.min;
    facts.max_height = layer.max;
  }
  if (!in.ConsumedEntireMessage() || !has_height) {
    return absl::InternalError("session: the bytes are no tile with a height");
  }
  return facts;
}

}  // namespace thalweg::session
