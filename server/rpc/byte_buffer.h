// Converts between gRPC's bytes and ours, for calls that send cached bytes.
#pragma once

#include <grpcpp/support/byte_buffer.h>

#include <string>

#include "absl/status/status.h"
#include "google/protobuf/message_lite.h"
#include "server/tile/tile_contents.h"

namespace thalweg::rpc {

// Reads a request. INVALID_ARGUMENT if the bytes can't be parsed.
absl::Status ParseRequest(const grpc::ByteBuffer& buffer, google::protobuf::MessageLite& request);

// A buffer of the head, which is copied, and the tile's bytes, which are not: the buffer keeps them
// alive until it was sent. The tile may be null.
grpc::ByteBuffer Wrap(const std::string& head, tile::TileBytes bytes);

// A GetTileResponse or a StreamTilesResponse, whose only field is the tile.
grpc::ByteBuffer WrapTile(tile::TileBytes tile);

}  // namespace thalweg::rpc
