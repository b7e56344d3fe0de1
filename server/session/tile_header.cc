#include "server/session/tile_header.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/wire_format_lite.h>

#include <cstdint>

#include "thalweg/v1/tile.pb.h"

namespace thalweg::session {
namespace {

using google::protobuf::internal::WireFormatLite;
using google::protobuf::io::CodedInputStream;

// The number of a field that the caller reads itself: the stream stands before its size.
constexpr int kEntered = -1;

// One field of a message that is a varint: its number and value. Number 0 is anything else.
struct Field {
  int number = 0;
  std::uint64_t value = 0;
};

// Which tag is entered.
using IsEntered = bool (*)(std::uint32_t tag);

// Reads a varint, and steps over anything else but what is entered. False at the end.
bool ReadField(CodedInputStream& in, IsEntered is_entered, Field& field) {
  const std::uint32_t tag = in.ReadTag();
  if (tag == 0) return false;
  field = {};
  if (is_entered(tag)) {
    field.number = kEntered;
    return true;
  }
  if (WireFormatLite::GetTagWireType(tag) != WireFormatLite::WIRETYPE_VARINT) {
    return WireFormatLite::SkipField(&in, tag);
  }
  field.number = WireFormatLite::GetTagFieldNumber(tag);
  return in.ReadVarint64(&field.value);
}

struct LayerHeader {
  std::int32_t layer = 0;
  std::int32_t min = 0;
  std::int32_t max = 0;
};

LayerHeader ReadLayer(CodedInputStream& in) {
  LayerHeader header;
  const auto signed_of = [](const Field& field) {
    return WireFormatLite::ZigZagDecode32(static_cast<std::uint32_t>(field.value));
  };
  const IsEntered none = [](std::uint32_t) { return false; };
  for (Field field; ReadField(in, none, field);) {
    if (field.number == v1::TileLayer::kLayerFieldNumber) {
      header.layer = static_cast<std::int32_t>(field.value);
    }
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
  const IsEntered is_layer = [](std::uint32_t tag) {
    return tag == WireFormatLite::MakeTag(v1::Tile::kLayersFieldNumber,
                                          WireFormatLite::WIRETYPE_LENGTH_DELIMITED);
  };
  for (Field field; ReadField(in, is_layer, field);) {
    if (field.number == v1::Tile::kGeometricErrorFieldNumber) {
      facts.geometric_error = static_cast<std::uint32_t>(field.value);
    }
    if (field.number != kEntered) continue;
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
