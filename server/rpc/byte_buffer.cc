#include "server/rpc/byte_buffer.h"

#include <google/protobuf/io/coded_stream.h>
#include <grpcpp/support/slice.h>

#include <array>
#include <cstdint>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "thalweg/v1/terrain.pb.h"

namespace thalweg::rpc {
namespace {

static_assert(v1::GetTileResponse::kTileFieldNumber == 1 &&
                  v1::StreamTilesResponse::kTileFieldNumber == 1,
              "both responses begin with the same bytes");

// More than Protobuf's 100, so that checks of a message can name what is too deep in it.
constexpr int kMaxDepth = 256;

// The bytes before the tile's. They are the same for both responses.
std::string HeadOf(std::size_t tile_bytes) {
  using google::protobuf::io::CodedOutputStream;
  // The tag of field 1, whose type is length-delimited.
  std::uint8_t head[1 + 10] = {0x0A};
  const std::uint8_t* const end = CodedOutputStream::WriteVarint64ToArray(tile_bytes, head + 1);
  return {reinterpret_cast<const char*>(head), static_cast<std::size_t>(end - head)};
}

grpc::Slice SliceOf(tile::TileBytes bytes) {
  auto owner = std::make_unique<tile::TileBytes>(std::move(bytes));
  const std::string& text = **owner;
  // gRPC never writes to a slice's data; its signature just lacks const.
  return {const_cast<char*>(text.data()), text.size(),
          [](void* held) { delete static_cast<tile::TileBytes*>(held); }, owner.release()};
}

}  // namespace

absl::Status ParseRequest(const grpc::ByteBuffer& buffer, google::protobuf::MessageLite& request) {
  grpc::Slice slice;
  grpc::Status status = buffer.TrySingleSlice(&slice);
  if (!status.ok()) status = buffer.DumpToSingleSlice(&slice);
  if (status.ok()) {
    google::protobuf::io::CodedInputStream bytes(slice.begin(), static_cast<int>(slice.size()));
    bytes.SetRecursionLimit(kMaxDepth);
    if (request.ParseFromCodedStream(&bytes) && bytes.ConsumedEntireMessage()) {
      return absl::OkStatus();
    }
  }
  return absl::InvalidArgumentError(absl::StrCat("invalid request: its bytes are not a ",
                                                 request.GetTypeName(), ", or it nests more than ",
                                                 kMaxDepth, " messages deep"));
}

grpc::ByteBuffer Wrap(const std::string& head, tile::TileBytes bytes) {
  const grpc::Slice first(head);
  if (bytes == nullptr) return {&first, 1};
  const std::array<grpc::Slice, 2> slices{first, SliceOf(std::move(bytes))};
  return {slices.data(), slices.size()};
}

grpc::ByteBuffer WrapTile(tile::TileBytes tile) {
  const std::string head = HeadOf(tile->size());
  return Wrap(head, std::move(tile));
}

}  // namespace thalweg::rpc
